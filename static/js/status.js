// The line that says what the run is doing right now, its Stop, and the same in title and icon.

import { clock, fill, number } from "./words.js";

export class Status {
  constructor(element, page) {
    this.element = element;
    this.page = page;
    this.text = element.querySelector("[data-status-text]");
    this.facts = element.querySelector("[data-status-facts]");
    this.button = element.querySelector("[data-stop]");
    this.icon = document.querySelector("link[rel=icon]");
    this.title = document.title;
    this.run = {};
    this.button.addEventListener("click", () => this.stop());
    document.addEventListener("visibilitychange", () => document.hidden || this.active || this.mark("", "icon"));
  }

  get active() {
    return !this.element.hidden;
  }

  begin() {
    this.element.hidden = false;
    this.mark("● ", "iconWorking");
    this.ticking = setInterval(() => this.show(), 1000);
    this.show();
  }

  /** `run` as the feed tells it; `startedAt` in milliseconds. */
  update(run) {
    this.run = run;
    this.stopping ||= run.stopping;
    this.show();
  }

  end(reason) {
    clearInterval(this.ticking);
    this.element.hidden = true;
    const good = reason === "submitted";
    if (good || reason === "stopped") this.mark(document.hidden && good ? "✓ " : "", document.hidden && good ? "iconDone" : "icon");
    else this.mark("! ", "iconFailed");
  }

  mark(prefix, icon) {
    document.title = prefix + this.title;
    this.icon.href = this.page.dataset[icon];
  }

  show() {
    const words = this.text.dataset;
    const { status, queue_position: position, turns = 0, tokens_in: sent = 0, tokens_out: received = 0 } = this.run;
    let text = words.working;
    if (this.stopping) text = words.stopping;
    else if (status === "queued") text = position > 1 ? fill(words.queue, { count: position - 1 }) : words.queued;
    else if (status === "running" && !turns) text = words.starting;
    if (this.text.textContent !== text) this.text.textContent = text;
    this.button.disabled = Boolean(this.stopping);
    const facts = [];
    const since = Date.parse(this.run.started);
    if (since) facts.push(clock((Date.now() - since) / 1000));
    if (turns) facts.push(fill(this.facts.dataset.turn, { count: turns }));
    if (sent + received) facts.push(fill(this.facts.dataset.tokens, { count: number(sent + received) }));
    this.facts.textContent = facts.join(" · ");
  }

  async stop() {
    this.stopping = true;
    this.show();
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const answered = await fetch(this.button.dataset.url, { method: "POST", headers: { "X-CSRFToken": token } }).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    this.stopping = false;
    this.show();
    this.text.textContent = this.button.dataset.failed;
  }
}
