// The library: files are picked, and what is done with them is shown where they are.

import { cards } from "./cards.js";
import { keepFocus } from "./focus.js";
import { post } from "./offline.js";
import { fill } from "./words.js";

const LONG = 450; // milliseconds that a finger rests on a file to pick it

const bar = document.querySelector("[data-picked]");
const count = bar.querySelector("[data-count]");
const toasts = document.querySelector("[data-toasts]");
const finder = document.getElementById("finder");

const boxes = () => [...document.querySelectorAll("[data-pick]")].filter((box) => !itemOf(box).hidden);
const picked = () => boxes().filter((box) => box.checked);
const itemOf = (element) => element.closest("[data-item]");
const linkOf = (item) => item?.querySelector(".cover-link");
const items = (keys) => keys.split(" ").map((key) => document.querySelector(`[data-item="${key}"]`)).filter(Boolean);

let last = null;

function counted() {
  count.textContent = fill(count.dataset.count, { count: picked().length });
}

function pick(box, checked, range) {
  const all = boxes();
  const [from, to] = [all.indexOf(range && last ? last : box), all.indexOf(box)].sort((a, b) => a - b);
  for (const each of all.slice(Math.max(0, from), to + 1)) each.checked = checked;
  last = box;
  counted();
}

function pickAll() {
  for (const box of boxes()) box.checked = true;
  counted();
}

function unpick() {
  const [first] = picked();
  for (const box of picked()) box.checked = false;
  last = null;
  if (first) keepFocus(linkOf(itemOf(first)));
}

document.addEventListener("click", (event) => {
  const { target, shiftKey } = event;
  if (target.matches("[data-pick]")) return pick(target, target.checked, shiftKey);
  if (target.closest("[data-unpick]")) return unpick();
  if (target.closest("[data-pick-all]")) return pickAll();
  const star = target.closest("[data-star]");
  if (star) return void starred(star);
  const link = target.closest(".find .cover-link");
  // With Enter (no click of a pointer) a file opens in any case, with Ctrl or Cmd in another tab.
  if (!link || !event.detail || event.ctrlKey || event.metaKey) return;
  if (!shiftKey && !picked().length) return;
  event.preventDefault();
  const box = itemOf(link).querySelector("[data-pick]");
  pick(box, shiftKey || !box.checked, shiftKey);
});

function starred(button) {
  const data = new FormData();
  data.set("file", itemOf(button).dataset.item);
  if (button.getAttribute("aria-pressed") !== "true") data.set("on", "1");
  return send(bar.querySelector("[name=on]").formAction, data, { quiet: true });
}

/** Posts a form; the answer says what has changed on this page. */
async function send(url, data, { quiet = false } = {}) {
  const answer = await post(url, data);
  if (answer === null) return false;
  const holder = document.createElement("template");
  holder.innerHTML = answer;
  const toast = holder.content.querySelector("[data-toast]");
  show(toast.dataset);
  if (!quiet) toasts.replaceChildren(toast);
  // Undo, what has come back, or else the files.
  const [back] = items(toast.dataset.back ?? "");
  keepFocus(toast.querySelector("form button") ?? linkOf(back ?? document.querySelector("[data-item]:not([hidden])")));
  return true;
}

function show({ gone, back, starred, unstarred, tagged, address }) {
  for (const item of items(gone ?? "")) {
    item.hidden = true;
    item.querySelector("[data-pick]").checked = false;
  }
  for (const item of items(back ?? "")) item.hidden = false;
  for (const item of items(starred ?? "")) item.querySelector("[data-star]").setAttribute("aria-pressed", "true");
  for (const item of items(unstarred ?? "")) item.querySelector("[data-star]").setAttribute("aria-pressed", "false");
  for (const [key, words] of Object.entries(JSON.parse(tagged ?? "{}"))) {
    for (const item of items(key)) item.querySelector("[data-tags]").textContent = words;
  }
  if (address) location.assign(address);
  days();
  counted();
}

/** A day of which nothing is left has no heading. */
function days() {
  for (const day of document.querySelectorAll(".day")) {
    let next = day.nextElementSibling;
    while (next?.hidden) next = next.nextElementSibling;
    day.classList.toggle("spoken", !next?.matches("[data-item]"));
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-quiet]")) return;
  event.preventDefault();
  const { submitter } = event;
  const menu = submitter?.closest("[popover]");
  const url = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  if (!(await send(url, new FormData(form, submitter)))) return;
  menu?.hidePopover();
  const words = menu?.querySelector("[data-words]");
  if (words) words.value = "";
});

// Enter in the field for tags puts them on: it is not the form's first button.
bar.querySelector("[data-words]").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  bar.requestSubmit(bar.querySelector("[data-adds]"));
});

let resting = 0;
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  const link = pointerType === "touch" && target.closest(".find .cover-link");
  if (!link) return;
  resting = setTimeout(() => {
    const box = itemOf(link).querySelector("[data-pick]");
    pick(box, !box.checked);
    // The finger's lifting is no click of its own.
    const swallow = (event) => (event.preventDefault(), event.stopPropagation());
    link.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => link.removeEventListener("click", swallow, { capture: true }), 1000);
  }, LONG);
});
for (const name of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(name, ({ movementX, movementY }) => {
    if (name !== "pointermove" || Math.abs(movementX) + Math.abs(movementY) > 4) clearTimeout(resting);
  });
}
document.addEventListener("contextmenu", (event) => {
  if (matchMedia("(hover: none)").matches && event.target.closest(".find .cover-link")) event.preventDefault();
});

document.body.addEventListener("htmx:load", ({ detail }) => detail.elt !== document.body && cards(detail.elt));
document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "found") return;
  last = null;
  finder.querySelector("[data-clear]").hidden = !location.search;
});
document.body.addEventListener("htmx:pushedIntoHistory", () => {
  finder.querySelector("[data-clear]").hidden = !location.search;
});
cards(document);
counted();
