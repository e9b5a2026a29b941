// One request and what came of it: applies the events of the journal to the conversation.

import { Pause } from "./pause.js";
import { prose } from "./prose.js";
import { Waiting } from "./steering.js";
import { Step } from "./steps.js";
import { clock, made, size as inWords, word } from "./words.js";

const THOUGHT = 600;

export class RunView {
  /** `on` has file(path, digest), inspected(path), removed(path), say(text), ask(text), answered() and ended(reason), all for the page around. */
  constructor(article, fileUrl, on) {
    this.article = article;
    this.fileUrl = fileUrl;
    this.on = on;
    this.log = article.querySelector("[data-log]");
    this.typing = article.querySelector("[data-typing]");
    this.facts = article.querySelector("[data-work-facts]");
    const panel = article.querySelector("[data-paused]");
    this.pause = panel && new Pause(panel, on.answered);
    const waiting = article.querySelector("[data-waiting]");
    this.waiting = waiting && new Waiting(waiting, on.ask);
    this.steps = new Map();
    this.count = 0;
    // The page shows already what these events tell of files.
    this.shown = Number(article.dataset.seq);
    for (const text of article.querySelectorAll("[data-ended-summary]")) prose(text, text.textContent);
  }

  get active() {
    return this.article.dataset.state !== "ended";
  }

  apply(event) {
    this.seq = event.seq;
    const handle = {
      "model.spoke": this.spoke,
      "user.steered": this.steered,
      "tool.started": this.toolStarted,
      "tool.printed": this.toolPrinted,
      "tool.finished": this.toolFinished,
      "artifact.saved": this.artifactSaved,
      "artifact.inspected": this.artifactInspected,
      "artifact.skipped": this.artifactSkipped,
      "artifact.removed": this.artifactRemoved,
      "context.compacted": this.compacted,
      "run.paused": this.paused,
      "run.resumed": this.resumed,
      "run.ended": this.ended,
    }[event.kind];
    try {
      handle?.call(this, event.data);
    } catch (error) {
      // What can't be shown must not keep those behind it, the end among them, from the page.
      reportError(error);
    }
  }

  /** `run` as the feed tells it. */
  update({ status, facts, pause, words, model }) {
    for (const list of this.article.querySelectorAll("[data-facts]")) {
      list.replaceChildren(...facts.map((fact) => {
        const item = document.createElement("li");
        item.textContent = fact;
        return item;
      }));
    }
    // The events tell of the end, and a state that was read before it may come after it.
    if (this.active && status !== "ended") this.article.dataset.state = status;
    this.pause?.show(pause);
    this.waiting.element.toggleAttribute("data-fixed", model === "recipes");
    this.waiting.show(words);
  }

  /** What the model types or thinks right now, as far as it has come. */
  hint({ kind, text }) {
    if (kind === "rendering" || kind === "glimpse") return;
    this.typing.hidden = !text;
    this.typing.textContent = kind === "thinking" ? text?.slice(-THOUGHT) : text;
    this.typing.classList.toggle("thinking", kind === "thinking");
  }

  quiet() {
    this.typing.hidden = true;
    this.typing.textContent = "";
  }

  add(element) {
    this.log.append(element);
    return element;
  }

  /** Who hears the page is told what happens while it is open, not what it began with. */
  tell(text) {
    if (this.active && this.seq > this.shown) this.on.say(text);
  }

  spoke({ text, reasoning }) {
    this.quiet();
    if (reasoning.trim()) prose(this.add(made("reasoning")).querySelector(".prose"), reasoning);
    if (text.trim()) {
      prose(this.add(made("spoke")), text);
      this.tell(text);
    }
  }

  steered({ text }) {
    this.add(made("steered")).querySelector(".request-text").textContent = text;
  }

  toolStarted(data) {
    const step = new Step(data);
    this.steps.set(data.call, step);
    this.add(step.element);
    this.count += 1;
    this.showFacts();
    this.tell(step.title);
  }

  toolPrinted({ call, text }) {
    if (!this.steps.has(call)) {
      const background = new Step(null);
      this.steps.set(call, background);
      this.add(background.element);
    }
    this.steps.get(call).print(text);
  }

  toolFinished(data) {
    this.steps.get(data.call)?.finish(data);
  }

  artifactSaved({ path, digest, size }) {
    let link = this.log.querySelector(`.made[data-path="${CSS.escape(path)}"]`);
    if (!link) {
      link = made("file");
      link.dataset.path = path;
      link.href = this.fileUrl(path);
      link.querySelector(".made-name").textContent = path;
    }
    link.querySelector(".made-size").textContent = inWords(size);
    this.judge(link, "");
    this.add(link);
    delete this.article.dataset.answer;
    this.on.file(path, digest);
  }

  artifactInspected({ path, verdict }) {
    const link = this.log.querySelector(`.made[data-path="${CSS.escape(path)}"]`);
    if (link) this.judge(link, verdict);
    if (this.seq > this.shown) this.on.inspected(path);
  }

  /** A word beside a file in which something was found that people should know. */
  judge(link, verdict) {
    const mark = link.querySelector(".made-verdict");
    mark.dataset.verdict = verdict;
    mark.hidden = verdict !== "failed" && verdict !== "warned";
    mark.textContent = mark.hidden ? "" : word(`verdict-${verdict}`);
  }

  artifactSkipped({ path, why }) {
    this.add(made("notice")).querySelector("span").textContent = `${path}: ${why}`;
  }

  artifactRemoved({ path }) {
    this.log.querySelector(`.made[data-path="${CSS.escape(path)}"]`)?.remove();
    this.on.removed(path);
  }

  compacted() {
    this.remark(word("compacted"));
  }

  paused({ message }) {
    this.abandon();
    if (message) this.remark(word("paused", { question: message }));
  }

  resumed() {
    this.remark(word("resumed"));
  }

  remark(text) {
    this.add(made("remark")).textContent = text;
  }

  /** Nothing that has begun goes on. */
  abandon() {
    this.quiet();
    for (const step of this.steps.values()) step.abandon();
  }

  ended({ reason, message, summary, seconds }) {
    const wasActive = this.active;
    this.abandon();
    this.seconds = seconds;
    this.showFacts();
    const { dataset } = this.article;
    dataset.state = "ended";
    dataset.reason = reason;
    const find = (name) => this.article.querySelector(`[data-${name}]`);
    find("ended").hidden = false;
    const answer = reason === "submitted" && dataset.answer !== undefined;
    find("ended-title").textContent = word(answer ? "reason-answer" : `reason-${reason}`);
    find("ended-message").textContent = message;
    find("ended-message").hidden = reason === "submitted";
    prose(find("ended-summary"), summary);
    if (wasActive) this.on.ended(reason);
  }

  showFacts() {
    const facts = this.count ? [word("steps", { count: this.count })] : [];
    if (this.seconds) facts.push(clock(this.seconds));
    this.facts.textContent = facts.join(" · ");
  }
}
