// The tile of what is being made right now: its newest frame, its sound so far, how far it has come.

import { clock, fill, percent } from "./words.js";

const WINDOW = 30_000;
const SETTLED = 3000;

export class LiveTile {
  constructor(element, say) {
    const find = (name) => element.querySelector(`[data-live-${name}]`);
    this.element = element;
    this.say = say;
    this.frame = find("frame");
    this.name = find("name");
    this.facts = find("facts");
    this.progress = find("progress");
    this.sound = find("sound");
    this.audio = this.sound.querySelector("audio");
    this.newer = find("newer");
    this.newer.addEventListener("click", () => this.play());
    this.audio.addEventListener("pause", () => this.over && this.silence());
    this.audio.addEventListener("ended", () => this.play());
    this.samples = [];
  }

  /** A hint of the feed. */
  hint(hint) {
    if (hint.kind === "rendering") this.rendering(hint);
    else if (hint.kind === "glimpse" && hint.media === "image") this.picture(hint);
    else if (hint.kind === "glimpse") this.heard(hint);
  }

  /** An event of the journal: what it makes superfluous goes. */
  apply({ kind }) {
    if (kind === "tool.started" || kind === "tool.finished") this.rendered();
    if (kind === "artifact.saved") this.clear();
  }

  clear() {
    this.showing = null;
    this.frame.replaceChildren();
    this.waiting = null;
    this.over = true;
    if (this.audio.paused) this.silence();
    this.name.textContent = "";
    this.rendered();
  }

  silence() {
    this.audio.removeAttribute("src");
    this.sound.hidden = true;
    this.newer.hidden = true;
    this.show();
  }

  /** The command has ended, and with it its progress. */
  rendered() {
    this.samples = [];
    this.quarter = 0;
    this.progress.hidden = true;
    this.facts.textContent = "";
    this.show();
  }

  rendering({ fraction, note }) {
    const known = fraction !== null;
    this.progress.hidden = false;
    if (known) this.progress.value = fraction;
    else this.progress.removeAttribute("value");
    const facts = [note, known ? percent(fraction) : "", known ? this.left(fraction) : ""];
    this.facts.textContent = facts.filter(Boolean).join(" · ");
    this.progress.setAttribute("aria-valuetext", this.facts.textContent);
    const quarter = Math.floor(4 * (fraction ?? 0));
    if (quarter > (this.quarter ?? 0)) this.say(percent(fraction));
    this.quarter = quarter;
    this.show();
  }

  /** How long it will take, where it has moved steadily for a while. */
  left(fraction) {
    const now = performance.now();
    if (this.samples.length && fraction < this.samples.at(-1).fraction) this.samples = [];
    this.samples.push({ now, fraction });
    while (now - this.samples[0].now > WINDOW) this.samples.shift();
    const [first, middle] = [this.samples[0], this.samples[this.samples.length >> 1]];
    if (now - first.now < SETTLED || now === middle.now || fraction >= 1) return "";
    const rate = (fraction - first.fraction) / (now - first.now);
    const lately = (fraction - middle.fraction) / (now - middle.now);
    if (rate <= 0 || lately < rate / 2 || lately > rate * 2) return "";
    return fill(this.element.dataset.left, { time: clock((1 - fraction) / lately / 1000 + 1) });
  }

  /** Another frame takes the place of the last one once it is decoded, so nothing flickers. */
  async picture({ url, path }) {
    const image = new Image();
    image.alt = "";
    image.src = url;
    this.showing = image;
    const shown = await image.decode().then(() => true, () => false);
    if (!shown || this.showing !== image) return;
    this.frame.replaceChildren(image);
    this.name.textContent = path;
    this.show();
  }

  /** Who listens is not interrupted: what is new waits for its button, or follows at the end. */
  heard({ url, path }) {
    this.waiting = { url, path };
    this.over = false;
    if (!this.frame.firstChild) this.name.textContent = path;
    if (this.audio.paused) this.swap();
    else this.newer.hidden = false;
    this.sound.hidden = false;
    this.show();
  }

  swap() {
    if (!this.waiting) return;
    const { url, path } = this.waiting;
    const at = path === this.heardPath ? this.audio.currentTime : 0;
    const goOn = () => (this.audio.currentTime = at < this.audio.duration ? at : 0);
    this.audio.src = url;
    this.audio.addEventListener("loadedmetadata", goOn, { once: true });
    this.heardPath = path;
    this.waiting = null;
    this.newer.hidden = true;
  }

  /** On from where it is, in what has come since. */
  play() {
    if (!this.waiting) return;
    this.swap();
    // Another swap, or the end of the run, may take the sound away before it begins.
    this.audio.play().catch(() => {});
  }

  show() {
    const nothing = !this.frame.firstChild && this.sound.hidden && this.progress.hidden;
    this.element.hidden = nothing;
    this.element.parentElement.toggleAttribute("data-lit", Boolean(this.frame.firstChild));
  }
}
