// The characters of the page's text that none of its fonts has a sign for, as one string.
// A browser draws them all alike: as it draws one that no font can have.
(() => {
  const NONE = "\u0378", SIZE = 14, MOST = 1000;
  const canvas = new OffscreenCanvas(2 * SIZE, 2 * SIZE);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const drawn = (text) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, SIZE / 2, 1.4 * SIZE);
    return new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  };
  const fonts = new Map();
  const shown = { opacityProperty: true, visibilityProperty: true };
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const missing = new Set();
  let asked = 0;
  while (walker.nextNode() && asked < MOST) {
    const { data, parentElement: element } = walker.currentNode;
    // Plain letters every font has; controls, spaces and marks have no sign of their own; and
    // a box may be meant.
    const signs = data.match(/[^\p{ASCII}\p{Cc}\p{Cf}\p{Z}\p{M}\u25a0-\u25ff]/gu);
    if (!signs || element.closest("script, style, title, noscript, template")) continue;
    if (!element.checkVisibility(shown)) continue;
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${fontWeight} ${SIZE}px ${fontFamily}`;
    context.font = font;
    if (!fonts.has(font)) {
      const pixels = drawn(NONE);
      const blank = !pixels.some(Boolean);
      fonts.set(font, { known: new Set(), pixels, blank, width: context.measureText(NONE).width });
    }
    const { known, pixels, blank, width } = fonts.get(font);
    for (const sign of new Set(signs)) {
      if (blank || known.has(sign) || asked >= MOST) continue;
      known.add(sign);
      asked += 1;
      if (context.measureText(sign).width !== width) continue;
      const its = drawn(sign);
      if (pixels.every((pixel, at) => pixel === its[at])) missing.add(sign);
    }
  }
  return [...missing].join("");
})()
