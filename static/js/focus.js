// The focus stays where somebody works, although what had it is disabled, replaced or gone.

let held = null;

/** Where what had it is gone or hidden, `element` gets it. */
export function keepFocus(element) {
  const { activeElement: now } = document;
  if (now === document.body || !now.checkVisibility()) element?.focus({ preventScroll: true });
}

/** The same button once more, or the place of what the answer has replaced. */
function regain(place) {
  if (!held || document.activeElement !== document.body) return;
  const there = held.isConnected && held.checkVisibility();
  if (!there && place) place.tabIndex = -1;
  (there ? held : place)?.focus({ preventScroll: true });
}

document.addEventListener("htmx:beforeRequest", () => {
  const { activeElement: now } = document;
  held = now === document.body ? null : now;
});
document.addEventListener("htmx:afterRequest", () => regain());
document.addEventListener("htmx:afterSettle", ({ target }) => regain(target));
