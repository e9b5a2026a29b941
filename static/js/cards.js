// What cards do by themselves: play, show how a text begins, and let a video be leafed through.

import { players } from "./player.js";
import { readText } from "./text.js";

const SNIPPET = 2000;
const FRAME = 160; // the width of a strip's frames
const PACE = 450; // milliseconds a frame stands while nobody moves the pointer
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function cards(root) {
  players(root);
  for (const snippet of root.querySelectorAll("[data-snippet]")) {
    readText(snippet.dataset.snippet, SNIPPET).then(({ text }) => (snippet.textContent = text), () => {});
  }
  for (const poster of root.querySelectorAll("[data-strip]")) leaf(poster);
}

/** The pointer's place across the card is a time of the video; with the keyboard its frames go by. */
function leaf(poster) {
  const card = poster.closest(".card, .cover");
  const strip = new Image();
  const layer = document.createElement("span");
  let frames = 0;
  let timer = null;
  layer.className = "poster-frame";

  const ready = async () => {
    if (!strip.src) strip.src = poster.dataset.strip;
    await strip.decode();
    frames = Math.max(1, Math.round(strip.naturalWidth / FRAME));
    layer.style.backgroundImage = `url("${CSS.escape(strip.src)}")`;
    layer.style.backgroundSize = `${100 * frames}% 100%`;
  };
  const show = (part) => {
    if (!frames) return;
    const frame = Math.min(frames - 1, Math.max(0, Math.floor(part * frames)));
    layer.style.backgroundPosition = `${frames > 1 ? (100 * frame) / (frames - 1) : 0}% 0`;
    card.style.setProperty("--leaf", `${100 * Math.min(1, Math.max(0, part))}%`);
    if (!layer.isConnected) poster.append(layer);
  };
  const stop = () => {
    clearInterval(timer);
    layer.remove();
    card.classList.remove("leafing");
  };
  const begin = () => {
    card.classList.add("leafing");
    return ready().catch(stop);
  };

  card.addEventListener("pointerenter", begin);
  card.addEventListener("pointermove", ({ clientX }) => {
    const box = card.getBoundingClientRect();
    show((clientX - box.left) / box.width);
  });
  for (const name of ["pointerleave", "pointercancel", "focusout"]) card.addEventListener(name, stop);
  card.addEventListener("focusin", async ({ target }) => {
    if (calm.matches || !target.matches("a:focus-visible")) return;
    await begin();
    // The focus may have gone on before the frames came.
    if (!card.classList.contains("leafing")) return;
    let frame = 0;
    clearInterval(timer);
    timer = setInterval(() => show((frame++ % frames) / frames), PACE);
  });
}
