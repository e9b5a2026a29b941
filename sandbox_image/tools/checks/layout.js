// Finds text that overlaps other text, or is cut off, in what the browser drew.
// Returns {overlaps: [[a, b]], outside: [text], clipped: [text], texts: number}.
(() => {
  const root = document.documentElement;
  const isSvg = root.namespaceURI.endsWith("/svg");
  const frame = isSvg
    ? root.getBoundingClientRect()
    : { left: 0, top: 0, right: root.clientWidth, bottom: Infinity };
  const brief = (text) => (text.length > 40 ? text.slice(0, 39) + "…" : text);
  const shown = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const boxes = [];
  const outside = [];
  const clipped = [];

  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && boxes.length < 3000) {
    const node = walker.currentNode;
    const element = node.parentElement;
    const text = node.data.trim().replace(/\s+/g, " ");
    if (!text || !element || element.closest("script, style, title, defs, noscript, template")) continue;
    if (!element.checkVisibility(shown)) continue;
    const matrix = element.getScreenCTM?.();
    // The box of turned text says nothing about what it covers.
    const turned = matrix && Math.abs(matrix.b) > 0.01 * Math.abs(matrix.a);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const slack = Math.max(2, 0.15 * box.height);
      if (
        box.left < frame.left - slack || box.right > frame.right + slack ||
        (isSvg && (box.top < frame.top - box.height / 3 || box.bottom > frame.bottom + box.height / 3))
      ) {
        outside.push(brief(text));
      }
      if (!turned) boxes.push({ text, element, box });
    }
    const style = getComputedStyle(element);
    if (
      !isSvg && style.overflowX === "hidden" && element.clientWidth > 1 &&
      element.scrollWidth > element.clientWidth + 2
    ) {
      clipped.push(brief(text));
    }
  }

  // A line's box has room above and below its letters; only the middle of it is ink.
  const ink = ({ box }) => ({
    left: box.left + 1, right: box.right - 1,
    top: box.top + 0.27 * box.height, bottom: box.bottom - 0.27 * box.height,
  });
  const overlaps = [];
  boxes.sort((a, b) => a.box.left - b.box.left);
  for (let i = 0; i < boxes.length && overlaps.length < 20; i++) {
    const a = ink(boxes[i]);
    for (let j = i + 1; j < boxes.length && boxes[j].box.left < boxes[i].box.right; j++) {
      // The same words twice in one place are an outline or a shadow.
      if (boxes[i].text === boxes[j].text) continue;
      const b = ink(boxes[j]);
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const least = Math.min(a.bottom - a.top, b.bottom - b.top);
      if (width > 2 && height > 0.25 * least) {
        overlaps.push([brief(boxes[i].text), brief(boxes[j].text)]);
      }
    }
  }
  const unique = (list) => [...new Set(list)];
  return { overlaps, outside: unique(outside), clipped: unique(clipped), texts: boxes.length };
})();
