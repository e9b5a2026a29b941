// The player of sounds and videos, with a waveform where there are peaks; one plays at a time.

import "./again.js";
import { readText } from "./text.js";
import { clock } from "./words.js";

const PEAKS_BYTES = 200_000;
const BAR = 4; // pixels from one bar of the waveform to the next
const SVG = "http://www.w3.org/2000/svg";

function start(player) {
  const media = player.querySelector("audio") ?? player.parentElement.querySelector("video");
  const toggle = player.querySelector(".player-toggle");
  const seek = player.querySelector(".player-seek");
  const time = player.querySelector(".player-time");
  const known = Number(player.dataset.seconds) || 0;

  const show = () => {
    const length = Number.isFinite(media.duration) ? media.duration : known;
    seek.max = length || 1;
    seek.value = media.currentTime;
    player.style.setProperty("--at", `${length ? (100 * media.currentTime) / length : 0}%`);
    time.textContent = `${clock(media.currentTime)} / ${clock(length)}`;
    seek.setAttribute("aria-valuetext", time.textContent);
  };
  const turn = () => {
    player.toggleAttribute("data-playing", !media.paused);
    if (!media.paused) player.toggleAttribute("data-begun", true);
    toggle.setAttribute("aria-label", media.paused ? toggle.dataset.play : toggle.dataset.pause);
  };
  toggle.addEventListener("click", () => (media.paused ? play(media) : media.pause()));
  seek.addEventListener("input", () => {
    media.currentTime = Number(seek.value);
    show();
  });
  media.addEventListener("play", () => {
    for (const other of document.querySelectorAll("audio, video")) if (other !== media) other.pause();
    turn();
  });
  for (const name of ["pause", "ended"]) media.addEventListener(name, turn);
  for (const name of ["loadedmetadata", "durationchange", "timeupdate", "seeked"]) media.addEventListener(name, show);
  show();
  if (player.dataset.peaks) wave(player).catch((error) => console.info(error));
}

/** Starts a sound or video; that it can't be played is told by its `error` event. */
export function play(media) {
  media.play().catch((error) => console.info(error));
}

async function wave(player) {
  const { text } = await readText(player.dataset.peaks, PEAKS_BYTES);
  const { peaks } = JSON.parse(text);
  const track = player.querySelector(".player-track");
  const bars = loudest(peaks, Math.max(16, Math.floor(track.clientWidth / BAR)));
  const path = bars.map((half, at) => `M${at + 0.5} ${(1 - half).toFixed(3)}V${(1 + half).toFixed(3)}`).join("");
  for (const name of ["wave played", "wave"]) {
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("viewBox", `0 0 ${bars.length} 2`);
    drawing.setAttribute("preserveAspectRatio", "none");
    drawing.setAttribute("class", name);
    drawing.setAttribute("aria-hidden", "true");
    drawing.append(document.createElementNS(SVG, "path"));
    drawing.firstChild.setAttribute("d", path);
    track.prepend(drawing);
  }
  player.classList.add("with-wave");
}

/** The height of `most` bars (fewer if there are fewer pairs), the loudest as high as can be. */
function loudest(peaks, most) {
  const count = Math.min(most, peaks.length);
  const bars = Array.from({ length: count }, (_, bar) => {
    const part = peaks.slice(Math.floor((bar * peaks.length) / count), Math.ceil(((bar + 1) * peaks.length) / count));
    return Math.max(0, ...part.flat().map((value) => Math.abs(Number(value)) || 0));
  });
  const top = Math.max(0.05, ...bars);
  return bars.map((bar) => Math.max(0.03, (0.94 * bar) / top));
}

export function players(root) {
  for (const player of root.querySelectorAll("[data-player]")) start(player);
}
