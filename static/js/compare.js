// Two versions of a file: picks, ways to compare, and what the kind of file needs for them.

import { playTogether } from "./compare-players.js";
import { comparePictures } from "./compare-pictures.js";
import { compareTexts } from "./compare-texts.js";

const page = document.querySelector("[data-compare]");
const modes = document.querySelector("[data-modes]");
const views = [...page.querySelectorAll("[data-view]")];
const part = (name) => page.querySelector(`[data-${name}]`);
const press = (buttons, chosen) =>
  buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));

document.querySelector("[data-pick]").addEventListener("change", (event) => event.currentTarget.requestSubmit());

const pictures = part("pictures") && comparePictures(part("pictures"));
const texts = part("lines") && compareTexts(page, modes);
if (part("players")) playTogether(page);

function front(side) {
  part("frames").dataset.front = side;
  const buttons = [...modes.querySelectorAll("[data-front]")];
  press(buttons, buttons.find((button) => button.dataset.front === side));
}

function show(mode) {
  for (const view of views) view.hidden = !view.dataset.view.split(" ").includes(mode);
  for (const group of modes.querySelectorAll("[data-for]")) group.hidden = group.dataset.for !== mode;
  const buttons = [...modes.querySelectorAll("[data-mode]")];
  press(buttons, buttons.find((button) => button.dataset.mode === mode));
  if (mode === "text") texts.show();
  else pictures?.show(mode);
  if (part("frames") && mode !== "text") part("frames").dataset.frames = mode;
}

modes.addEventListener("click", ({ target }) => {
  const { mode, front: side } = target.closest("button")?.dataset ?? {};
  if (mode) show(mode);
  if (side) front(side);
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  const frame = part("frames");
  if (frame?.dataset.frames === "single") front(frame.dataset.front === "a" ? "b" : "a");
});

const first = modes.querySelector("[data-mode][aria-pressed=true]")?.dataset.mode;
if (first) show(first);
else texts?.show();
