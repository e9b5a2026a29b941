// A MIDI file as a piano roll, with the sound that was made of it.

import { players } from "../player.js";
import { readBytes } from "../text.js";
import { clock, fill, number } from "../words.js";
import { controls } from "./media.js";
import { readMidi } from "./notes.js";
import { part } from "./parts.js";

const MEGABYTE = 1_000_000;
const PIXELS_PER_SECOND = 36;
const WIDEST = 16_000;
const [LOWEST_ROW, HIGHEST_ROW] = [6, 14];

export async function show(viewer) {
  const panel = part(viewer, "midi");
  const { notes, tracks, tempo } = readMidi((await readBytes(viewer.dataset.url, MEGABYTE)).bytes);
  const end = Math.max(0, ...notes.map((note) => note.to));
  const words = panel.dataset;
  part(viewer, "facts").textContent = [
    clock(end), fill(words.notes, { count: number(notes.length) }),
    fill(words.tracks, { count: number(tracks) }), fill(words.tempo, { count: number(tempo) }),
  ].join(" · ");
  if (!notes.length) return;
  const roll = part(viewer, "roll");
  draw(roll, notes, end);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(roll, notes, end));
  new MutationObserver(() => draw(roll, notes, end)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  if (!part(viewer, "player")) return;
  players(viewer);
  const audio = part(viewer, "player").querySelector("audio");
  controls(viewer, audio);
  follow(viewer, roll, audio, end);
}

function draw(roll, notes, end) {
  const canvas = roll.querySelector("canvas");
  const pitches = notes.map((note) => note.pitch);
  const [low, high] = [Math.min(...pitches) - 2, Math.max(...pitches) + 2];
  const rows = high - low + 1;
  const row = Math.min(HIGHEST_ROW, Math.max(LOWEST_ROW, Math.floor((roll.clientHeight - 8) / rows)));
  const width = Math.min(WIDEST, Math.max(roll.clientWidth, end * PIXELS_PER_SECOND));
  const height = rows * row;
  const scale = Math.min(2, WIDEST / width);
  Object.assign(canvas, { width: width * scale, height: height * scale });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  const voices = [1, 2, 3, 4].map((voice) => colour(canvas, `--voice-${voice}`));
  const order = [...new Set(notes.map((note) => note.track))];
  pen.scale(scale, scale);
  pen.fillStyle = colour(canvas, "--black-keys");
  for (let pitch = low; pitch <= high; pitch += 1) {
    if ([1, 3, 6, 8, 10].includes(((pitch % 12) + 12) % 12)) pen.fillRect(0, (high - pitch) * row, width, row);
  }
  for (const { pitch, from, to, velocity, track } of notes) {
    pen.fillStyle = voices[order.indexOf(track) % voices.length];
    pen.globalAlpha = 0.4 + (0.6 * velocity) / 127;
    pen.beginPath();
    pen.roundRect((from / end) * width, (high - pitch) * row, Math.max(2, ((to - from) / end) * width - 1), row - 1, 2);
    pen.fill();
  }
}

/** What a custom property of the theme in use comes to: a canvas knows no `var()`. */
function colour(canvas, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  canvas.after(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A line goes along the roll with the sound; where one points in the roll, the sound goes on. */
function follow(viewer, roll, audio, end) {
  const head = part(viewer, "head");
  const canvas = roll.querySelector("canvas");
  const move = () => {
    const at = Math.min(1, audio.currentTime / end) * canvas.clientWidth;
    head.style.translate = `${at}px`;
    if (!audio.paused && (at < roll.scrollLeft || at > roll.scrollLeft + 0.8 * roll.clientWidth)) {
      roll.scrollLeft = at - 0.2 * roll.clientWidth;
    }
    if (!audio.paused) requestAnimationFrame(move);
  };
  head.hidden = false;
  for (const name of ["play", "seeked", "timeupdate"]) audio.addEventListener(name, move);
  canvas.addEventListener("click", ({ offsetX }) => (audio.currentTime = (offsetX / canvas.clientWidth) * end));
}
