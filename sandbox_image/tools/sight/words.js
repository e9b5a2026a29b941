// The text that the browser drew: [{text, left, top, right}] in pixels of the document.
(() => {
  const shown = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode() && found.length < 3000) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim().replace(/\s+/g, " ");
    if (!text || !element?.checkVisibility(shown)) continue;
    if (element.closest("script, style, title, defs, noscript, template")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const { left, top, right, width } = range.getBoundingClientRect();
    if (width < 1) continue;
    const x = window.scrollX, y = window.scrollY;
    found.push({ text: text.slice(0, 200), left: left + x, top: top + y, right: right + x });
  }
  return found;
})();
