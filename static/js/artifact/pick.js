// In a page that is shown for pointing: says to the studio's page which element was clicked, or
// gone to with the arrow keys.
(() => {
  const frame = document.createElement("div");
  frame.style.cssText = "position:fixed;z-index:2147483647;pointer-events:none;border:2px solid #2d55d7;background:rgb(45 85 215 / 0.14);border-radius:4px;display:none";
  const ways = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  let picked = null;
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
  const pick = (element) => {
    picked = element;
    outline(element);
    const text = (element.innerText ?? element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 120);
    parent.postMessage({ picked: { selector: selector(element).slice(0, 300), text } }, "*");
  };
  addEventListener("click", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.target instanceof Element) pick(event.target);
  }, true);
  // A page without links and fields has nothing that the keyboard would come to.
  document.body.tabIndex = 0;
  addEventListener("keydown", (event) => {
    const step = ways[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const seen = [...document.body.querySelectorAll("*")].filter((element) => element.getClientRects().length);
    if (!seen.length) return;
    const at = seen.indexOf(picked);
    const next = seen[at < 0 ? 0 : (at + step + seen.length) % seen.length];
    next.scrollIntoView({ block: "nearest" });
    pick(next);
  }, true);
})();
