// The settings of how somebody is told that a run is done.

import { Notices } from "./notices.js";

new Notices(document.querySelector("[data-notices]"));
