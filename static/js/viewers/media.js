// Keys and tools of whatever plays: sound, video, and music that was played for a MIDI file.

import { play } from "../player.js";
import { onKeys, press, tool } from "./parts.js";
import { explain, Trouble } from "./trouble.js";

const JUMP = 5;
const LOUDER = 0.1;

export function controls(viewer, media) {
  const speed = tool("speed");
  const seek = (seconds) => {
    media.currentTime = Math.min(Math.max(0, media.currentTime + seconds), media.duration || Infinity);
  };
  const toggle = () => (media.paused ? play(media) : media.pause());
  const loop = () => {
    media.loop = !media.loop;
    press(tool("loop"), media.loop);
  };
  const faster = (step) => {
    speed.selectedIndex = Math.min(Math.max(0, speed.selectedIndex + step), speed.length - 1);
    media.playbackRate = Number(speed.value);
  };
  const louder = (step) => {
    media.volume = Math.min(1, Math.max(0, media.volume + step));
  };
  onKeys({
    " ": toggle,
    k: toggle,
    ArrowLeft: () => seek(-JUMP),
    ArrowRight: () => seek(JUMP),
    ArrowUp: () => louder(LOUDER),
    ArrowDown: () => louder(-LOUDER),
    Home: () => (media.currentTime = 0),
    m: () => (media.muted = !media.muted),
    l: loop,
    "<": () => faster(-1),
    ">": () => faster(1),
  });
  tool("loop").addEventListener("click", loop);
  speed.addEventListener("change", () => (media.playbackRate = Number(speed.value)));
  const failed = () => explain(viewer, new Trouble("unplayable"));
  if (media.error) failed();
  media.addEventListener("error", failed);
}
