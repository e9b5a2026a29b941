// A video: the browser's own controls, and keys that reach each frame.

import { controls } from "./media.js";
import { onKeys, part } from "./parts.js";

export function show(viewer) {
  const video = part(viewer, "video");
  const frame = 1 / (Number(video.dataset.fps) || 30);
  const step = (frames) => {
    video.pause();
    video.currentTime = Math.max(0, video.currentTime + frames * frame);
  };
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen());
  controls(viewer, video);
  onKeys({ ",": () => step(-1), ".": () => step(1), f: fill });
  document.querySelector("[data-tools]").addEventListener("click", ({ target }) => {
    const { step: frames } = target.closest("button")?.dataset ?? {};
    if (frames) step(Number(frames));
  });
}
