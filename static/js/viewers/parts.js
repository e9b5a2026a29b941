// What viewers share: their pieces of the page, the file's text, keys, notes.

import { readText } from "../text.js";
import { number, word } from "../words.js";

const MEGABYTE = 1_000_000;
const TYPING = "input:not([type='range']), textarea, select, dialog, [popover]";

/** The viewer's own element marked `data-<name>`. */
export function part(viewer, name) {
  return viewer.querySelector(`[data-${name}]`);
}

/** A tool of the bar marked `data-<name>`, if this viewer has it. */
export function tool(name) {
  return document.querySelector(`[data-tools] [data-${name}]`);
}

/** The file as text, at most `most` megabytes of it; whoever looks is told if that is not all. */
export async function text(viewer, most = 1) {
  const { text, cut } = await readText(viewer.dataset.url, most * MEGABYTE);
  if (cut) note(viewer, word("cut", { size: number(most) }));
  return text;
}

export function note(viewer, words) {
  const line = part(viewer, "note");
  line.textContent = words;
  line.hidden = false;
}

/** Does `actions[event.key]`, before the page's own keys, unless somebody types. */
export function onKeys(actions) {
  const act = (event) => {
    const action = actions[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(TYPING)) return;
    if (event.key === " " && event.target.closest("a, button, summary")) return;
    if (document.querySelector(":popover-open")) return;
    event.preventDefault();
    action(event);
  };
  document.addEventListener("keydown", act, { capture: true });
}

export function press(button, on) {
  button?.setAttribute("aria-pressed", String(on));
}

/** The bar's copy button copies what `content` gives. */
export function copies(content) {
  const button = tool("copy-text");
  const label = button.getAttribute("aria-label");
  // Without https browsers let no page copy.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(content());
    button.classList.add("done");
    button.setAttribute("aria-label", button.dataset.done);
    setTimeout(() => {
      button.classList.remove("done");
      button.setAttribute("aria-label", label);
    }, 1500);
  });
}
