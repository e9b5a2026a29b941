// The audio player of cards and of the viewer; one sounds at a time.

import { clock } from "./words.js";

function start(player) {
  const audio = player.querySelector("audio");
  const toggle = player.querySelector(".player-toggle");
  const seek = player.querySelector(".player-seek");
  const time = player.querySelector(".player-time");

  const show = () => {
    const length = Number.isFinite(audio.duration) ? audio.duration : 0;
    seek.max = length || 1;
    seek.value = audio.currentTime;
    seek.style.setProperty("--at", `${length ? (100 * audio.currentTime) / length : 0}%`);
    time.textContent = `${clock(audio.currentTime)} / ${clock(length)}`;
    seek.setAttribute("aria-valuetext", time.textContent);
  };
  const turn = () => {
    player.toggleAttribute("data-playing", !audio.paused);
    toggle.setAttribute("aria-label", audio.paused ? toggle.dataset.play : toggle.dataset.pause);
  };
  toggle.addEventListener("click", () => (audio.paused ? audio.play() : audio.pause()));
  seek.addEventListener("input", () => {
    audio.currentTime = Number(seek.value);
    show();
  });
  audio.addEventListener("play", () => {
    for (const other of document.querySelectorAll("audio, video")) if (other !== audio) other.pause();
    turn();
  });
  for (const name of ["pause", "ended"]) audio.addEventListener(name, turn);
  for (const name of ["loadedmetadata", "durationchange", "timeupdate", "seeked"]) audio.addEventListener(name, show);
  show();
}

export function players(root) {
  for (const player of root.querySelectorAll("[data-player]")) start(player);
}
