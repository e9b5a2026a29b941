// One file in full: fetches what its kind needs, and says so when it can't be shown.

import { whenOld } from "./age.js";
import { check, explain, giveUp, Trouble } from "./viewers/trouble.js";

const viewer = document.querySelector("[data-viewer]");
const MODULES = {
  html: "page",
  image: "picture",
  svg: "picture",
  video: "video",
  audio: "audio",
  midi: "midi",
  pdf: "pdf",
  markdown: "markdown",
  csv: "table",
  json: "tree",
  text: "code",
  model: "model",
  font: "font",
  zip: "archive",
};
const name = MODULES[viewer.dataset.viewer];

const load = (name) =>
  import(`./viewers/${name}.js`).catch((cause) => {
    throw new Trouble("unloaded", { cause });
  });

try {
  if (viewer.dataset.size === "0") giveUp(viewer, "empty");
  else if (name) await (await load(name)).show(viewer);
  document.querySelector("[data-tools]").disabled = false;
  viewer.dataset.shown = "";
} catch (error) {
  await explain(viewer, error);
}
document.querySelector("[data-strip] [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
whenOld(() => check(viewer));
