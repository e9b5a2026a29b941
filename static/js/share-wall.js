// A wall of shared files: its cards play and leaf as in the gallery.

import { whenOld } from "./age.js";
import { cards } from "./cards.js";

const wall = document.querySelector("[data-wall]");
if (wall) cards(wall);
wall?.addEventListener("htmx:load", ({ target }) => cards(target));
whenOld(() => location.reload());
