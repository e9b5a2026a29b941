// In a page that is shown for pointing: says to the studio's page which element was clicked.
(() => {
  const frame = document.createElement("div");
  frame.style.cssText = "position:fixed;z-index:2147483647;pointer-events:none;border:2px solid #2d55d7;background:rgb(45 85 215 / 0.14);border-radius:4px;display:none";
  const outline = (element) => {
    const box = element.getBoundingClientRect();
    frame.style.cssText += `;display:block;left:${box.left - 3}px;top:${box.top - 3}px;width:${box.width + 2}px;height:${box.height + 2}px`;
    if (!frame.isConnected) document.documentElement.append(frame);
  };
  const selector = (element) => {
    const steps = [];
    for (let at = element; at && at !== document.documentElement && steps.length < 6; at = at.parentElement) {
      if (at.id) {
        steps.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const name = at.localName;
      const alike = [...(at.parentElement?.children ?? [])].filter((other) => other.localName === name);
      steps.unshift(alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(at) + 1})` : name);
    }
    return steps.join(" > ");
  };
  addEventListener("pointermove", ({ target }) => target instanceof Element && outline(target), true);
  for (const name of ["pointerdown", "mousedown", "mouseup", "pointerup"]) {
    addEventListener(name, (event) => event.stopImmediatePropagation(), true);
  }
  addEventListener("click", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const { target } = event;
    if (!(target instanceof Element)) return;
    outline(target);
    const text = (target.innerText ?? target.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 120);
    parent.postMessage({ picked: { selector: selector(target).slice(0, 300), text } }, "*");
  }, true);
})();
