// A picture that fits the window, or is zoomed with wheel, keys, buttons and two fingers and moved by dragging.

import { onKeys, part } from "./parts.js";
import { explain, Trouble } from "./trouble.js";

const STEP = 1.25;
const SMALLEST = 0.05;
const LARGEST = 16;
const TAP = 300; // milliseconds between the two taps of a double tap
const NEAR = 24; // pixels that a finger may move in a tap
const SWIPE = 70;
const MOVE = 60;

export function show(viewer) {
  const canvas = part(viewer, "canvas");
  const image = canvas.querySelector("img");
  const tools = document.querySelector("[data-tools]");
  const level = tools.querySelector(".zoom-level");
  let zoom = null; // null: fits the window

  const fitting = () => image.clientWidth / (image.naturalWidth || image.clientWidth || 1);

  function set(next, point) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = point ?? [box.left + box.width / 2, box.top + box.height / 2];
    const before = image.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    zoom = next === null ? null : Math.min(LARGEST, Math.max(SMALLEST, next));
    canvas.toggleAttribute("data-fit", zoom === null);
    image.style.width = zoom === null ? "" : `${image.naturalWidth * zoom}px`;
    const after = image.getBoundingClientRect();
    canvas.scrollLeft += after.left + across * after.width - x;
    canvas.scrollTop += after.top + down * after.height - y;
    level.textContent = zoom === null ? level.dataset.fit : `${Math.round(zoom * 100)}%`;
  }

  const by = (factor, point) => set((zoom ?? fitting()) * factor, point);
  const toggle = (point) => set(zoom === null ? Math.max(1, 2 * fitting()) : null, point);
  const actions = { in: () => by(STEP), out: () => by(1 / STEP), toggle: () => set(zoom === null ? 1 : null) };
  const keys = { "+": actions.in, "=": actions.in, "-": actions.out, 0: () => set(null), 1: () => set(1) };
  onKeys(keys);
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-MOVE, 0], ArrowRight: [MOVE, 0], ArrowUp: [0, -MOVE], ArrowDown: [0, MOVE] }[event.key];
    if (!way || zoom === null) return;
    event.preventDefault();
    canvas.scrollBy(...way);
  });

  tools.addEventListener("click", ({ target }) => actions[target.closest("button")?.dataset.zoom]?.());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), [event.clientX, event.clientY]);
    },
    { passive: false },
  );
  const loaded = () => canvas.removeAttribute("data-waits");
  if (image.complete) loaded();
  image.addEventListener("load", loaded);
  const failed = () => explain(viewer, new Trouble("failed"));
  if (image.complete && !image.naturalWidth) failed();
  image.addEventListener("error", failed);
  fingers(canvas, { by, toggle, fits: () => zoom === null });
  set(null);
}

/** One finger or the mouse moves, two zoom, a double tap zooms to a point, a swipe goes to the next file. */
function fingers(canvas, { by, toggle, fits }) {
  const down = new Map();
  let [began, tapped] = [null, null];
  const spread = () => {
    const [one, two] = down.values();
    return [Math.hypot(one.x - two.x, one.y - two.y), [(one.x + two.x) / 2, (one.y + two.y) / 2]];
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    began = down.size === 1 ? { x: event.clientX, y: event.clientY, fitted: fits() } : null;
    canvas.classList.toggle("dragging", !fits());
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    if (!last) return;
    const before = down.size === 2 ? spread() : null;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (before) {
      const [apart, [x, y]] = spread();
      canvas.scrollBy(before[1][0] - x, before[1][1] - y);
      if (before[0] > 0) by(apart / before[0], [x, y]);
    } else if (!fits()) {
      canvas.scrollBy(last.x - event.clientX, last.y - event.clientY);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!began || down.size !== 1) return;
    const [across, along] = [event.clientX - began.x, event.clientY - began.y];
    if (Math.hypot(across, along) < NEAR) {
      const twice = tapped && event.timeStamp - tapped.time < TAP && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < NEAR;
      tapped = twice ? null : { time: event.timeStamp, x: event.clientX, y: event.clientY };
      if (twice) toggle([event.clientX, event.clientY]);
    } else if (event.pointerType === "touch" && began.fitted && fits() && Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(along)) {
      document.querySelector(`a[data-key~="${across > 0 ? "ArrowLeft" : "ArrowRight"}"]`)?.click();
    }
  });
  canvas.addEventListener("lostpointercapture", ({ pointerId }) => {
    down.delete(pointerId);
    if (!down.size) canvas.classList.remove("dragging");
  });
}
