// A font: its letters, and a line of one's own.

import { readBytes } from "../text.js";
import { part } from "./parts.js";
import { Trouble } from "./trouble.js";

const LARGEST = 20_000_000;
const SIZES = [64, 40, 28, 20, 16, 12];

export async function show(viewer) {
  const { bytes, cut } = await readBytes(viewer.dataset.url, LARGEST);
  if (cut) throw new Trouble("too-large");
  const face = await new FontFace("Specimen", bytes).load();
  document.fonts.add(face);
  const [sample, lines] = [part(viewer, "sample"), part(viewer, "lines")];
  for (const size of SIZES) {
    const line = document.createElement("p");
    line.style.fontSize = `${size}px`;
    line.dataset.size = size;
    lines.append(line);
  }
  const write = () => lines.childNodes.forEach((line) => (line.textContent = sample.value));
  sample.addEventListener("input", write);
  write();
  part(viewer, "specimen").classList.add("loaded");
}
