// A video: a bar of controls like a sound's, and keys that reach each frame.

import { play, players } from "../player.js";
import { controls } from "./media.js";
import { onKeys, part, press } from "./parts.js";

const REST = 2500; // milliseconds after which the bar makes room for a film that fills the screen

export function show(viewer) {
  const [theatre, video] = [part(viewer, "theatre"), part(viewer, "video")];
  const frame = 1 / (Number(video.dataset.fps) || 30);
  const step = (frames) => {
    video.pause();
    video.currentTime = Math.max(0, video.currentTime + frames * frame);
  };
  const full = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    // Telephones of one maker let nothing but the video itself fill the screen.
    else if (theatre.requestFullscreen) theatre.requestFullscreen();
    else video.webkitEnterFullscreen();
  };
  video.controls = false;
  part(viewer, "player").hidden = false;
  players(viewer);
  controls(viewer, video);
  onKeys({ ",": () => step(-1), ".": () => step(1), f: full });
  video.addEventListener("click", () => (video.paused ? play(video) : video.pause()));
  video.addEventListener("dblclick", full);
  video.addEventListener("volumechange", () => press(part(viewer, "mute"), video.muted));
  part(viewer, "mute").addEventListener("click", () => (video.muted = !video.muted));
  part(viewer, "full").addEventListener("click", full);
  document.querySelector("[data-tools]").addEventListener("click", ({ target }) => {
    const { step: frames } = target.closest("button")?.dataset ?? {};
    if (frames) step(Number(frames));
  });
  rests(theatre);
}

/** Marks the theatre as `resting` while nobody moves or presses anything. */
function rests(theatre) {
  let resting = null;
  const wake = () => {
    theatre.classList.remove("resting");
    clearTimeout(resting);
    resting = setTimeout(() => theatre.classList.add("resting"), REST);
  };
  for (const name of ["pointermove", "pointerdown", "keydown", "fullscreenchange"]) theatre.addEventListener(name, wake);
}
