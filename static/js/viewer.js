// One file in full: picks what the kind needs.

import { showMidi } from "./midi.js";
import { zoomable } from "./picture.js";
import { players } from "./player.js";
import { showTable } from "./table.js";
import { readBytes, readText } from "./text.js";
import { showTree } from "./tree.js";

const MEGABYTE = 1_000_000;
const viewer = document.querySelector("[data-viewer]");
const { viewer: kind, url } = viewer.dataset;
const part = (name) => viewer.querySelector(`[data-${name}]`);

async function text() {
  const { text, cut } = await readText(url, MEGABYTE);
  part("cut").hidden = !cut;
  return text;
}

function page() {
  const device = part("device");
  const frame = device.querySelector("iframe");
  const tools = document.querySelector("[data-tools]");
  tools.addEventListener("click", ({ target }) => {
    const { width, reload } = target.closest("button")?.dataset ?? {};
    if (reload !== undefined) frame.src = url;
    if (!width) return;
    device.dataset.device = width;
    for (const button of tools.querySelectorAll("[data-width]")) {
      button.setAttribute("aria-pressed", String(button.dataset.width === width));
    }
  });
}

function pdf() {
  if (!navigator.pdfViewerEnabled) {
    part("pdf").hidden = true;
    part("plain").hidden = false;
    return;
  }
  const frame = document.createElement("iframe");
  frame.title = viewer.dataset.name;
  frame.src = url;
  part("pdf").append(frame);
}

async function source() {
  part("source").textContent = await text();
}

async function json() {
  const content = await text();
  try {
    showTree(part("tree"), JSON.parse(content));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    part("tree").textContent = content;
  }
}

const show = {
  html: page,
  pdf,
  json,
  text: source,
  markdown: source,
  image: () => zoomable(part("canvas")),
  svg: () => zoomable(part("canvas")),
  audio: () => players(viewer),
  csv: async () => showTable(viewer, await text()),
  midi: async () => showMidi(part("midi"), (await readBytes(url, MEGABYTE)).bytes),
};

try {
  await show[kind]?.();
} catch (error) {
  console.warn(error);
  const note = part("cut");
  note.textContent = viewer.dataset.failed;
  note.hidden = false;
}
document.querySelector("[data-strip] [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
