// A PDF in the browser's own viewer, or page by page on canvases where there is none, as on Android.

import { fill, number } from "../words.js";
import { part } from "./parts.js";
import { check } from "./trouble.js";

const LIBRARY = new URL("../../pdfjs/", import.meta.url).href;
const SHARPEST = 2;

export async function show(viewer) {
  const room = part(viewer, "pdf");
  if (navigator.pdfViewerEnabled) {
    const frame = document.createElement("iframe");
    frame.title = viewer.dataset.name;
    frame.src = viewer.dataset.url;
    frame.addEventListener("load", () => check(viewer));
    room.append(frame);
    return;
  }
  const { getDocument, GlobalWorkerOptions } = await import("../../pdfjs/build/pdf.min.mjs");
  GlobalWorkerOptions.workerSrc = `${LIBRARY}build/pdf.worker.min.mjs`;
  const file = await getDocument({
    url: viewer.dataset.url,
    cMapUrl: `${LIBRARY}cmaps/`,
    standardFontDataUrl: `${LIBRARY}standard_fonts/`,
    wasmUrl: `${LIBRARY}wasm/`,
    enableXfa: false,
  }).promise;
  room.classList.add("sheets");
  room.tabIndex = 0;
  const first = (await file.getPage(1)).getViewport({ scale: 1 });
  const near = new IntersectionObserver(draw, { root: room, rootMargin: "100%" });
  for (let page = 1; page <= file.numPages; page += 1) {
    const canvas = document.createElement("canvas");
    canvas.dataset.number = page;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", fill(room.dataset.page, { number: number(page), count: number(file.numPages) }));
    canvas.style.aspectRatio = `${first.width} / ${first.height}`;
    room.append(canvas);
    near.observe(canvas);
  }

  function draw(entries) {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) {
        near.unobserve(target);
        drawPage(target).catch((error) => console.info(error));
      }
    }
  }

  async function drawPage(canvas) {
    const page = await file.getPage(Number(canvas.dataset.number));
    const plain = page.getViewport({ scale: 1 });
    canvas.style.aspectRatio = `${plain.width} / ${plain.height}`;
    const scale = (canvas.clientWidth / plain.width) * Math.min(SHARPEST, devicePixelRatio);
    const viewport = page.getViewport({ scale });
    Object.assign(canvas, { width: viewport.width, height: viewport.height });
    await page.render({ canvas, viewport }).promise;
    const { items } = await page.getTextContent();
    canvas.textContent = items.map((item) => item.str ?? "").join(" ");
  }
}
