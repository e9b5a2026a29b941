// The wall of files: a card appears when its file has settled, and changes with its versions.

import { whenOld } from "./age.js";
import { cards } from "./cards.js";

const AGAIN = 1000;
// A card that does not come in this time is asked for once more: the others wait behind it.
const PATIENCE = 30_000;
const [SOON, LATEST] = [5000, 60_000];
// How these look, and what is wrong with them, depends on the files beside them, too.
const REFERRING = ["html", "svg", "markdown", "model"];

export class Gallery {
  constructor(page, onShown) {
    this.page = page;
    this.onShown = onShown;
    this.wall = page.querySelector("[data-gallery]");
    this.raking = page.querySelector("[data-raking]");
    this.wanted = new Map();
    this.changed = new Set();
    this.better = new WeakMap();
    this.fetching = Promise.resolve();
    this.pause = SOON;
    cards(this.wall);
    this.wall.addEventListener("htmx:load", ({ target }) => cards(target));
    this.watch();
    whenOld(() => this.renew());
  }

  card(path) {
    return this.wall.querySelector(`.card[data-path="${CSS.escape(path)}"]`);
  }

  url(pattern, path) {
    return pattern.replace("__path__", path.split("/").map(encodeURIComponent).join("/"));
  }

  fileUrl(path) {
    return this.url(this.page.dataset.fileUrl, path);
  }

  saved(path, digest) {
    this.wanted.set(path, digest);
  }

  inspected(path) {
    this.changed.add(path);
  }

  removed(path) {
    this.wanted.delete(path);
    this.changed.delete(path);
    // After those that are on their way: one of them may be of this file.
    this.fetching = this.fetching.then(() => {
      this.card(path)?.remove();
      this.count();
    });
  }

  /** What refers to other files is looked into once more when they are all there. */
  doubt() {
    this.pause = SOON;
    for (const { dataset } of this.wall.querySelectorAll(".card")) {
      if (REFERRING.includes(dataset.kind)) this.changed.add(dataset.path);
    }
    this.refresh();
  }

  /** After a batch of events: fetch what the wall does not show yet, oldest first. */
  refresh() {
    this.fetching = this.fetching.then(() => this.fetchNews());
  }

  async fetchNews() {
    const news = [...this.wanted].filter(([path, digest]) => this.card(path)?.dataset.digest !== digest);
    this.wanted.clear();
    const changed = [...this.changed].filter((path) => this.card(path));
    this.changed.clear();
    for (const [path, digest] of news) await this.fetch(path).catch(() => this.fetchLater(path, digest));
    for (const path of changed) await this.fetch(path).catch(() => {});
    if (news.length) this.pause = SOON;
    this.watch();
  }

  /** No run tells of what is found in a file that was brought back; and a word of it may be lost. */
  watch() {
    clearTimeout(this.watching);
    const open = this.wall.querySelectorAll(".card[data-checking]");
    if (!open.length) return;
    this.watching = setTimeout(() => {
      this.pause = Math.min(LATEST, 2 * this.pause);
      for (const { dataset } of open) this.changed.add(dataset.path);
      this.refresh();
    }, this.pause);
  }

  /** All cards anew, with what is new about their files. */
  renew() {
    for (const { dataset } of this.wall.querySelectorAll(".card")) this.changed.add(dataset.path);
    this.refresh();
  }

  /** The connection broke; meanwhile the file may have been saved again. */
  fetchLater(path, digest) {
    if (!this.wanted.has(path)) this.wanted.set(path, digest);
    setTimeout(() => this.refresh(), AGAIN);
  }

  async fetch(path) {
    const url = this.url(this.page.dataset.cardUrl, path);
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status >= 500) throw new Error(response.statusText);
    // Who is not signed in any more is led elsewhere.
    if (!response.ok || response.redirected) return;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    const card = holder.content.firstElementChild;
    const old = this.card(path);
    if (old?.dataset.digest === card.dataset.digest) {
      this.exchange(old, card);
      return;
    }
    old?.remove();
    card.classList.add("arriving");
    this.raking.after(card);
    cards(card);
    this.count();
    this.onShown(card.querySelector(".card-name").textContent);
  }

  /** The same file, of which more is known: in place, and not before what plays has come to rest. */
  exchange(old, card) {
    const playing = [...old.querySelectorAll("audio, video")].find((media) => !media.paused);
    const waits = this.better.has(old);
    this.better.set(old, card);
    if (playing) {
      const change = () => old.isConnected && this.exchange(old, this.better.get(old));
      if (!waits) playing.addEventListener("pause", change, { once: true });
      return;
    }
    const focused = old.contains(document.activeElement);
    old.replaceWith(card);
    cards(card);
    if (focused) card.querySelector(".card-name").focus();
  }

  count() {
    const left = Number(this.wall.querySelector(".more-cards")?.dataset.left ?? 0);
    const number = this.wall.querySelectorAll(".card").length + left;
    for (const element of document.querySelectorAll("[data-file-count]")) element.textContent = number;
    for (const element of document.querySelectorAll("[data-zip]")) element.hidden = !number;
    this.showEmpty();
  }

  working(active) {
    this.raking.hidden = !active;
    this.showEmpty();
  }

  showEmpty() {
    const nothing = !this.wall.querySelector(".card") && this.raking.hidden;
    this.page.querySelector("[data-empty]").hidden = !nothing;
  }
}
