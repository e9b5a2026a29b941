// Pointing at a spot of the file that is shown, and saying what should change there.

import { Draft } from "./drafts.js";
import { complains } from "./offline.js";
import { clock, fill } from "./words.js";

const viewer = document.querySelector("[data-viewer]");
const button = document.querySelector("[data-point]");
const form = document.querySelector("[data-point-form]");
const words = form?.dataset;

const STEP = 0.05; // of the picture, for each press of a key
const WAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const between = (least, value, most) => Math.max(least, Math.min(value, most));

/** A region of a picture: dragged with mouse, pen or finger, or moved and sized with the arrow keys. */
function region(tell) {
  const canvas = viewer.querySelector("[data-canvas]");
  const image = canvas.querySelector("img");
  const layer = document.createElement("div");
  const box = document.createElement("div");
  layer.className = "point-layer";
  layer.tabIndex = 0;
  // The arrows are for the region, not for reading on.
  layer.setAttribute("role", "application");
  layer.setAttribute("aria-label", words.keys);
  box.className = "point-box";
  layer.append(box);
  // Where a pointer went down; the region as left, top, width and height, in parts of the picture.
  let from = null;
  let shown = [0.25, 0.25, 0.5, 0.5];

  const place = ({ clientX, clientY }) => {
    const shape = image.getBoundingClientRect();
    const part = (at, begin, length) => between(0, (at - begin) / length, 1);
    return [part(clientX, shape.left, shape.width), part(clientY, shape.top, shape.height)];
  };
  const draw = (next) => {
    shown = next;
    const [left, top, width, height] = shown;
    const [shape, room] = [image.getBoundingClientRect(), layer.getBoundingClientRect()];
    box.style.left = `${shape.left - room.left + left * shape.width}px`;
    box.style.top = `${shape.top - room.top + top * shape.height}px`;
    box.style.width = `${width * shape.width}px`;
    box.style.height = `${height * shape.height}px`;
  };
  const drag = (event) => {
    const [x, y] = place(event);
    draw([Math.min(from[0], x), Math.min(from[1], y), Math.abs(from[0] - x), Math.abs(from[1] - y)]);
  };
  const say = () => {
    const [left, top, width, height] = shown;
    const [right, bottom] = [Math.round(100 * (left + width)), Math.round(100 * (top + height))];
    const [x, y] = [Math.min(99, Math.round(100 * left)), Math.min(99, Math.round(100 * top))];
    const [wide, high] = [Math.max(1, right - x), Math.max(1, bottom - y)];
    tell(`region ${x} ${y} ${wide} ${high}`, fill(words.region, { left: x, right: x + wide, top: y, bottom: y + high }));
  };
  layer.addEventListener("pointerdown", (event) => {
    layer.setPointerCapture(event.pointerId);
    from = place(event);
    drag(event);
  });
  layer.addEventListener("pointermove", (event) => from && drag(event));
  layer.addEventListener("pointerup", (event) => {
    if (!from) return;
    drag(event);
    from = null;
    say();
  });
  // Who drags goes on typing.
  layer.addEventListener("mousedown", (event) => event.preventDefault());
  layer.addEventListener("focus", () => {
    draw(shown);
    say();
  });
  layer.addEventListener("keydown", (event) => {
    const [right, down] = WAY[event.key] ?? [];
    if (right === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [left, top, width, height] = shown;
    if (event.shiftKey) draw([left, top, between(STEP, width + STEP * right, 1 - left), between(STEP, height + STEP * down, 1 - top)]);
    else draw([between(0, left + STEP * right, 1 - width), between(0, top + STEP * down, 1 - height), width, height]);
    say();
  });
  return { begin: () => canvas.after(layer), end: () => layer.remove() };
}

/** The time at which a player stands. */
function time(tell) {
  const media = viewer.querySelector("video, audio");
  const now = () => tell(`time ${Math.max(0, media.currentTime).toFixed(1)}`, fill(words.time, { time: clock(media.currentTime) }));
  return {
    begin: () => {
      media.pause();
      now();
      media.addEventListener("timeupdate", now);
    },
    end: () => media.removeEventListener("timeupdate", now),
  };
}

/** An element of a page: the page is loaded with a script that says what is clicked. */
function element(tell) {
  const frame = viewer.querySelector("iframe");
  const text = (value, most) => (typeof value === "string" ? value.replace(/[\r\n]+/g, " ").slice(0, most) : "");
  const heard = ({ source, data }) => {
    // The page may say anything: it is short, it is text, and the user sees it before it is sent.
    if (source !== frame.contentWindow || typeof data?.picked !== "object" || !data.picked) return;
    const [selector, said] = [text(data.picked.selector, 300), text(data.picked.text, 120)];
    if (selector) tell(`element ${selector}\n${said}`, fill(words.element, { text: said || selector }));
  };
  const show = (url) => frame.contentWindow.location.replace(url);
  return {
    begin: () => {
      window.addEventListener("message", heard);
      show(`${viewer.dataset.url}&pick=1`);
    },
    end: () => {
      window.removeEventListener("message", heard);
      show(viewer.dataset.url);
    },
  };
}

const WAYS = { image: region, svg: region, video: time, audio: time, html: element };

function listen() {
  const spot = form.querySelector("[name=spot]");
  const shown = form.querySelector("[data-spot]");
  const field = form.querySelector("textarea");
  const draft = new Draft(field);
  let way = null;

  const open = (yes) => {
    if (yes === Boolean(way)) return;
    button.setAttribute("aria-pressed", String(yes));
    form.hidden = !yes;
    if (!yes) {
      way.end();
      way = null;
      button.focus();
      return;
    }
    spot.value = "";
    shown.textContent = words.hint;
    way = WAYS[viewer.dataset.viewer]((value, told) => {
      spot.value = value;
      shown.textContent = told;
    });
    way.begin();
    field.focus();
  };
  button.addEventListener("click", () => open(!way));
  form.addEventListener("click", ({ target }) => target.closest("[data-point-close]") && open(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !way) return;
    event.preventDefault();
    open(false);
  }, { capture: true });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  complains(form, form.querySelector(".form-error"), words.offline);
  form.addEventListener("htmx:afterRequest", ({ detail }) => draft.sent(detail));
}

if (form) listen();
