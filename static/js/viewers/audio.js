// A sound: one large player.

import { players } from "../player.js";
import { controls } from "./media.js";
import { part } from "./parts.js";

export function show(viewer) {
  players(viewer);
  controls(viewer, part(viewer, "player").querySelector("audio"));
}
