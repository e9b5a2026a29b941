// A finished run once more: its events happen again on a clock that can be stopped, turned and hurried.

import { announce } from "./announce.js";
import { cards } from "./cards.js";
import { panes } from "./panes.js";
import { RunView } from "./run.js";
import { Feed } from "./socket.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { clock, fill, number } from "./words.js";

const JUMP = 5000;
const page = document.querySelector("[data-replay]");
const find = (name) => page.querySelector(`[data-${name}]`);
const announcer = document.querySelector("[data-announce]");
const scroller = find("scroll");

/** The files as they were at a moment. */
class Wall {
  constructor(element) {
    this.element = element;
    this.templates = new Map([...document.querySelectorAll("template[data-card]")].map((template) => [template.dataset.card, template]));
    this.shown = new Map();
    new Stage(element);
  }

  url(path) {
    return this.templates.get(path)?.content.querySelector(".card-name").href ?? "#";
  }

  put(path, quietly) {
    const template = this.templates.get(path);
    if (!template) return;
    this.shown.get(path)?.remove();
    const card = template.content.firstElementChild.cloneNode(true);
    card.classList.toggle("arriving", !quietly);
    this.element.prepend(card);
    cards(card);
    this.shown.set(path, card);
    this.count();
    if (!quietly) announce(announcer, fill(announcer.dataset.file, { name: card.querySelector(".card-name").textContent }));
  }

  remove(path) {
    this.shown.get(path)?.remove();
    this.shown.delete(path);
    this.count();
  }

  clear() {
    this.shown.clear();
    this.element.replaceChildren();
    this.count();
  }

  count() {
    for (const element of page.querySelectorAll("[data-file-count]")) element.textContent = this.shown.size;
    find("empty").hidden = this.shown.size > 0;
  }
}

class Replay {
  constructor(events) {
    this.events = events;
    this.lines = { true: new Timeline(events, { skip: true }), false: new Timeline(events, { skip: false }) };
    this.blank = find("run").cloneNode(true);
    this.wall = new Wall(find("gallery"));
    this.toggle = find("toggle");
    this.seek = find("seek");
    this.speed = find("speed");
    this.skip = find("skip");
    this.facts = find("facts");
    this.at = 0;
    this.choose();
    this.rewind();
    this.listen();
    this.show();
  }

  get line() {
    return this.lines[this.skip.checked];
  }

  listen() {
    this.toggle.addEventListener("click", () => this.play(!this.playing));
    this.seek.addEventListener("input", () => this.go(Number(this.seek.value)));
    this.skip.addEventListener("change", () => {
      this.at = this.lines[!this.skip.checked].moved(this.at, this.line);
      this.choose();
      this.show();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, dialog, audio, video, .step-output, [data-player]")) return;
    const act = {
      " ": () => !event.target.closest("button, a, summary, input[type=checkbox]") && (this.play(!this.playing), true),
      ArrowLeft: () => (this.go(this.at - JUMP), true),
      ArrowRight: () => (this.go(this.at + JUMP), true),
      ",": () => (this.go(this.mark(-1)), true),
      ".": () => (this.go(this.mark(1)), true),
      Home: () => (this.go(0), true),
      End: () => (this.go(this.line.length), true),
    }[event.key];
    if (act?.()) event.preventDefault();
  }

  /** When the file before or after this moment came. */
  mark(direction) {
    const times = this.line.marks.map(({ time }) => time);
    return direction < 0 ? (times.findLast((time) => time < this.at - 1) ?? 0) : (times.find((time) => time > this.at) ?? this.line.length);
  }

  /** The scale of the timeline that is chosen. */
  choose() {
    const { length, marks } = this.line;
    this.seek.max = Math.ceil(length);
    find("marks").replaceChildren(...marks.map(({ time, path }) => {
      const mark = document.createElement("i");
      mark.title = path;
      mark.style.left = `${length ? (100 * time) / length : 0}%`;
      return mark;
    }));
  }

  play(yes) {
    if (yes && this.at >= this.line.length) this.go(0);
    this.playing = yes;
    page.toggleAttribute("data-playing", yes);
    this.toggle.setAttribute("aria-label", yes ? this.toggle.dataset.pause : this.toggle.dataset.play);
    cancelAnimationFrame(this.frame);
    if (!yes) return;
    let before = performance.now();
    const tick = (now) => {
      // A tab that was in the background goes on where it was.
      this.at += Math.min(250, now - before) * Number(this.speed.value);
      before = now;
      this.show();
      if (this.at >= this.line.length) this.play(false);
      else this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  go(time) {
    this.at = Math.min(this.line.length, Math.max(0, time));
    this.show();
  }

  /** Everything is as it was before the first event. */
  rewind() {
    const article = this.blank.cloneNode(true);
    find("run").replaceWith(article);
    this.wall.clear();
    this.done = 0;
    this.turns = 0;
    this.tokens = 0;
    this.view = new RunView(article, (path) => this.wall.url(path), {
      file: (path) => this.wall.put(path, this.hurried),
      removed: (path) => this.wall.remove(path),
      inspected: () => {},
      say: () => {},
      ended: () => {},
    });
  }

  /** Makes the page show the moment `at`. */
  show() {
    this.at = Math.min(this.at, this.line.length);
    const due = this.line.count(this.at);
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 160;
    if (due < this.done) this.rewind();
    this.hurried = due - this.done > 40 || !this.playing;
    for (; this.done < due; this.done++) this.apply(this.events[this.done]);
    this.type();
    if (atEnd || this.hurried) scroller.scrollTop = scroller.scrollHeight;
    this.tell();
  }

  apply(event) {
    if (event.kind === "model.spoke") {
      const { turn, usage } = event.data;
      this.turns = turn;
      // What it took is not told to visitors.
      this.tokens += usage ? usage.input + usage.output : 0;
    }
    this.view.apply(event);
  }

  type() {
    const typing = this.line.typing(this.at);
    if (!typing) {
      this.view.quiet();
      return;
    }
    const { data, part } = typing;
    const whole = data.reasoning + data.text;
    const come = whole.slice(0, Math.round(part * whole.length));
    const thinking = come.length < data.reasoning.length;
    this.view.hint({ kind: thinking ? "thinking" : "typing", text: thinking ? come : come.slice(data.reasoning.length) });
  }

  tell() {
    const { seek, facts } = this;
    const worked = this.line.worked(this.at) / 1000;
    const all = this.line.real.at(-1) / 1000;
    seek.value = Math.round(this.at);
    seek.style.setProperty("--at", `${this.line.length ? (100 * this.at) / this.line.length : 0}%`);
    const text = fill(seek.dataset.text, { at: clock(worked), all: clock(all) });
    if (seek.getAttribute("aria-valuetext") !== text) seek.setAttribute("aria-valuetext", text);
    const parts = [`${clock(worked)} / ${clock(all)}`];
    if (this.turns) parts.push(fill(facts.dataset.turn, { count: this.turns }));
    if (this.tokens) parts.push(fill(facts.dataset.tokens, { count: number(this.tokens) }));
    const told = parts.join(" · ");
    if (facts.textContent !== told) facts.textContent = told;
  }
}

panes(page);

const events = [];
const ignore = () => {};
const feed = new Feed({ eventsUrl: page.dataset.events, on: { events: (list) => events.push(...list), run: ignore, hint: ignore, connected: ignore } });
await feed.read();
if (events.at(-1)) {
  const replay = new Replay(events);
  replay.play(true);
} else document.querySelector("[data-trouble]").hidden = false;
