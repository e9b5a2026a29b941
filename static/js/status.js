// The line that says what the run is doing right now, its Stop, and the same in title and icon.

import { post } from "./offline.js";
import { clock, fill, number, percent } from "./words.js";

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
    // Who may only look has none.
    this.button?.addEventListener("click", () => this.stop());
    document.addEventListener("visibilitychange", () => document.hidden || this.active || this.paused || this.mark("", "icon"));
  }

  get active() {
    return !this.element.hidden;
  }

  begin() {
    this.element.hidden = false;
    this.paused = false;
    this.mark("● ", "iconWorking");
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.show(), 1000);
    this.show();
  }

  pause() {
    clearInterval(this.ticking);
    this.element.hidden = true;
    this.paused = true;
    this.mark("? ", "iconPaused");
  }

  /** `run` as the feed tells it; `startedAt` in milliseconds. */
  update(run) {
    this.run = run;
    this.stopping ||= run.stopping;
    this.show();
  }

  /** The model types, thinks, or is waited for; or a command has come so far. */
  hint({ kind, why, seconds, fraction }) {
    if (kind === "glimpse") return;
    this.fraction = kind === "rendering" ? fraction : null;
    this.thinking = kind === "thinking";
    this.waiting = kind === "waiting" ? { why, until: Date.now() + 1000 * seconds } : null;
    this.show();
  }

  /** These events have happened since the last hint. */
  heard(events) {
    if (events.some(({ kind }) => kind === "tool.finished")) this.fraction = null;
    this.thinking = false;
    this.waiting = null;
  }

  end(reason) {
    clearInterval(this.ticking);
    this.element.hidden = true;
    const good = reason === "submitted";
    const asked = this.paused;
    this.paused = false;
    if (asked) this.mark("", "icon");
    else if (good || reason === "stopped") this.mark(document.hidden && good ? "✓ " : "", document.hidden && good ? "iconDone" : "icon");
    else this.mark("! ", "iconFailed");
  }

  mark(prefix, icon) {
    document.title = prefix + this.title;
    this.icon.href = this.page.dataset[icon];
  }

  show() {
    const words = this.text.dataset;
    const { status, queue_position: position, wait, turns = 0, tokens_in: sent = 0, tokens_out: received = 0, seconds: before = 0, cost } = this.run;
    let text = words.working;
    if (this.stopping) text = words.stopping;
    else if (this.waiting) text = this.awaited(words);
    else if (this.thinking) text = words.thinking;
    else if (status === "queued") text = position > 1 ? fill(words.queue, { count: position - 1 }) : words.queued;
    else if (status === "running" && !turns) text = words.starting;
    if (this.text.textContent !== text) this.text.textContent = text;
    if (this.button) this.button.disabled = Boolean(this.stopping);
    const facts = wait ? [wait] : [];
    const since = Date.parse(this.run.started);
    if (since) facts.push(clock(before + (Date.now() - since) / 1000));
    if (this.fraction) facts.push(percent(this.fraction));
    if (turns) facts.push(fill(this.facts.dataset.turn, { count: turns }));
    if (sent + received) facts.push(fill(this.facts.dataset.tokens, { count: number(sent + received) }));
    if (cost) facts.push(cost);
    this.facts.textContent = facts.join(" · ");
  }

  /** Why the model is waited for, with the seconds until it is asked again. */
  awaited(words) {
    const { why, until } = this.waiting;
    const seconds = Math.ceil((until - Date.now()) / 1000);
    return seconds > 0 ? fill(words[`${why}Again`], { seconds }) : words[why];
  }

  async stop() {
    this.stopping = true;
    // A button that is disabled, and then gone, would lose the focus.
    this.page.querySelector("[data-scroll]").focus({ preventScroll: true });
    this.show();
    if ((await post(this.button.dataset.url)) !== null) return;
    this.stopping = false;
    this.show();
  }
}
