// The characters of the page's text that none of its fonts has a sign for, as one string.
// A browser draws them all alike: as it draws one that no font can have.
(() => {
  const NONE = "\u0378", SIZE = 24, MOST = 2000;
  const canvas = new OffscreenCanvas(3 * SIZE, 2 * SIZE);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const drawn = (text) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, SIZE / 2, 1.4 * SIZE);
    return context.getImageData(0, 0, canvas.width, canvas.height).data.join();
  };
  const fonts = new Map();
  const shown = { opacityProperty: true, visibilityProperty: true };
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  let asked = 0;
  const missing = new Set();
  while (walker.nextNode() && asked < MOST) {
    const { data, parentElement: element } = walker.currentNode;
    // Plain letters every font has; controls, spaces and marks have no sign of their own; and
    // a box may be meant.
    const signs = data.match(/[^\p{ASCII}\p{Cc}\p{Cf}\p{Z}\p{M}\u25a0-\u25ff]/gu);
    if (!signs || element.closest("script, style, title, noscript, template")) continue;
    if (!element.checkVisibility(shown)) continue;
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${fontWeight} ${SIZE}px ${fontFamily}`;
    if (!fonts.has(font)) fonts.set(font, new Set());
    const known = fonts.get(font);
    for (const sign of new Set(signs)) {
      if (known.has(sign) || asked++ >= MOST) continue;
      known.add(sign);
      context.font = font;
      if (context.measureText(sign).width !== context.measureText(NONE).width) continue;
      const none = drawn(NONE);
      if (/[1-9]/.test(none) && drawn(sign) === none) missing.add(sign);
    }
  }
  return [...missing].join("");
})()
