// A page in a frame of its own, as wide as the window or as a device.

import { part, press, tool } from "./parts.js";
import { check } from "./trouble.js";

const DEVICES = { phone: [375, 667], tablet: [768, 1024] };
const PATIENCE = 10_000;

export function show(viewer) {
  const stage = part(viewer, "device");
  const holder = stage.firstElementChild;
  const frame = holder.querySelector("template").content.firstElementChild;
  let device = "full";
  let turned = false;
  let waiting = null;

  const fit = () => {
    const [width, height] = turned ? (DEVICES[device] ?? []).toReversed() : (DEVICES[device] ?? []);
    stage.dataset.device = device;
    const room = getComputedStyle(stage);
    const wide = stage.clientWidth - parseFloat(room.paddingLeft) - parseFloat(room.paddingRight);
    const high = stage.clientHeight - parseFloat(room.paddingTop) - parseFloat(room.paddingBottom);
    const scale = width ? Math.min(1, wide / width, high / height) : 1;
    for (const [name, value] of Object.entries({ width, height, scale })) {
      stage.style.setProperty(`--${name}`, name === "scale" ? scale : `${value}px`);
    }
    tool("rotate").disabled = !width;
    for (const button of document.querySelectorAll("[data-width]")) press(button, button.dataset.width === device);
  };
  // That a page ends loading is all one can see of another origin: one that never does may be stuck.
  const watch = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => (part(viewer, "busy").hidden = false), PATIENCE);
  };
  const load = () => {
    part(viewer, "stopped").hidden = true;
    frame.src = viewer.dataset.url;
    if (!holder.contains(frame)) holder.append(frame);
    watch();
  };
  const stop = () => {
    clearTimeout(waiting);
    frame.remove();
    part(viewer, "busy").hidden = true;
    part(viewer, "stopped").hidden = false;
  };

  document.querySelector("[data-tools]").addEventListener("click", ({ target }) => {
    const { width, reload, rotate } = target.closest("button")?.dataset ?? {};
    if (reload !== undefined) load();
    if (rotate !== undefined) turned = !turned;
    if (width) device = width;
    if (width || rotate !== undefined) fit();
  });
  frame.addEventListener("load", () => {
    clearTimeout(waiting);
    part(viewer, "busy").hidden = true;
    check(viewer);
  });
  part(viewer, "stop").addEventListener("click", stop);
  part(viewer, "again").addEventListener("click", load);
  new ResizeObserver(fit).observe(stage);
  // Not before: that a frame has loaded is told once, and somebody must listen.
  load();
}
