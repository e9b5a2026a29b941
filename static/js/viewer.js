// One file in full: fetches what its kind needs, and says so when it can't be shown.

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

try {
  if (name) await (await import(`./viewers/${name}.js`)).show(viewer);
} catch (error) {
  console.info(error);
  const note = viewer.querySelector("[data-note]");
  note.textContent = viewer.dataset.failed;
  note.hidden = false;
}
document.querySelector("[data-strip] [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
