// Keys of every page. `?` shows which there are; none is caught while somebody types.
//
// What a key does stands in the page: `data-key` is clicked, or focused if it is a field, `data-go`
// is where g and a letter lead, `data-item` is what j, k and the arrows go through, and within the
// one that has the focus `data-item-key` is clicked.

const TYPING = "input:not([type=checkbox]), textarea, select, dialog, [contenteditable]";
const OWN_ARROWS = ".table-scroll, .source, .canvas:not([data-fit]), [role=slider]";
const SEQUENCE = 1200; // milliseconds between g and its letter
const STEPS = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 };

let began = -Infinity;

const shown = (element) => element.checkVisibility();
const items = () => [...document.querySelectorAll("[data-item]")].filter(shown);
const link = (item) => item.querySelector("a:not([tabindex='-1'])");

function busy({ defaultPrevented, isComposing, altKey, ctrlKey, metaKey, target }) {
  if (defaultPrevented || isComposing || altKey || ctrlKey || metaKey) return true;
  return target.closest(TYPING) || document.querySelector("dialog[open], :popover-open");
}

/** The item above or below, in the same column if there is one. */
function beside(all, at, down) {
  const from = all[at].getBoundingClientRect();
  const rows = all
    .map((item) => ({ item, box: item.getBoundingClientRect() }))
    .filter(({ box }) => (down ? box.top > from.top + 1 : box.top < from.top - 1));
  if (!rows.length) return all[at];
  const row = (down ? Math.min : Math.max)(...rows.map(({ box }) => box.top));
  const away = ({ box }) => Math.abs(box.left - from.left);
  return rows.filter(({ box }) => Math.abs(box.top - row) < 2).sort((a, b) => away(a) - away(b))[0].item;
}

/** Whether the focus went to another item. */
function move(key) {
  const all = items();
  const at = all.findIndex((item) => item.contains(document.activeElement));
  const arrow = key.startsWith("Arrow");
  if (!all.length || (arrow && at < 0)) return false;
  let next;
  if (key === "ArrowDown" || key === "ArrowUp") next = beside(all, at, key === "ArrowDown");
  else if (key in STEPS) next = at < 0 ? all[0] : all[Math.min(all.length - 1, Math.max(0, at + STEPS[key]))];
  else return false;
  link(next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function act(key) {
  const item = document.activeElement.closest("[data-item]");
  const named = (name) => `[${name}~="${CSS.escape(key)}"]`;
  const own = item?.querySelector(named("data-item-key"));
  const found = own ?? [...document.querySelectorAll(named("data-key"))].find(shown);
  if (!found) return false;
  if (found.matches("input:not([type=checkbox]), textarea")) found.focus();
  else found.click();
  return true;
}

function pressed(event) {
  if (busy(event)) return;
  const { key, target, timeStamp } = event;
  if (key.startsWith("Arrow") && target.closest(OWN_ARROWS)) return;
  const second = timeStamp - began < SEQUENCE && document.querySelector(`[data-go="${CSS.escape(key)}"]`);
  began = key === "g" ? timeStamp : -Infinity;
  if (second) second.click();
  else if (key === "?") document.getElementById("keys")?.showModal();
  else if (!move(key) && !act(key)) return;
  event.preventDefault();
}

document.addEventListener("keydown", pressed);
