// The wall of files: a card appears when its file has settled, and changes with its versions.

import { players } from "./player.js";
import { readText } from "./text.js";

const SNIPPET = 2000;
const AGAIN = 1000;

export class Gallery {
  constructor(page, onShown) {
    this.page = page;
    this.onShown = onShown;
    this.wall = page.querySelector("[data-gallery]");
    this.raking = page.querySelector("[data-raking]");
    this.wanted = new Map();
    this.prepare(this.wall);
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

  removed(path) {
    this.wanted.delete(path);
    this.card(path)?.remove();
    this.count();
  }

  /** After a batch of events: fetch what the wall does not show yet, oldest first. */
  async refresh() {
    const news = [...this.wanted].filter(([path, digest]) => this.card(path)?.dataset.digest !== digest);
    this.wanted.clear();
    for (const [path, digest] of news) await this.fetch(path).catch(() => this.fetchLater(path, digest));
  }

  /** The connection broke; meanwhile the file may have been saved again. */
  fetchLater(path, digest) {
    if (!this.wanted.has(path)) this.wanted.set(path, digest);
    setTimeout(() => this.refresh(), AGAIN);
  }

  async fetch(path) {
    const response = await fetch(this.url(this.page.dataset.cardUrl, path));
    if (!response.ok) return;
    const holder = document.createElement("template");
    holder.innerHTML = await response.text();
    const card = holder.content.firstElementChild;
    const old = this.card(path);
    if (old?.dataset.digest === card.dataset.digest) return;
    old?.remove();
    card.classList.add("arriving");
    this.raking.after(card);
    this.prepare(card);
    this.count();
    this.onShown(card.querySelector(".card-name").textContent);
  }

  prepare(element) {
    players(element);
    for (const snippet of element.querySelectorAll("[data-snippet]")) {
      readText(snippet.dataset.snippet, SNIPPET).then(({ text }) => (snippet.textContent = text), () => {});
    }
  }

  count() {
    const number = this.wall.querySelectorAll(".card").length;
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
