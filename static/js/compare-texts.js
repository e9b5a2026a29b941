// The lines of two texts, those that differ marked; of long ones only what has been scrolled to.

import { readText } from "./text.js";
import { number, word } from "./words.js";

const MEGABYTE = 1_000_000;
const AT_ONCE = 400;
const LONGEST = 5000;
const UNIFIED = ["line-number", "line-number", "line-text"];
const SPLIT = ["line-number", "line-text", "line-number", "line-text"];

export function compareTexts(page, modes) {
  const holder = page.querySelector(".lines");
  const table = holder.querySelector("table");
  const scroll = holder.querySelector(".lines-scroll");
  const facts = holder.querySelector("[data-lines-facts]");
  let [result, begun] = [null, false];

  async function find() {
    const [a, b] = await Promise.all([readText(page.dataset.a, MEGABYTE), readText(page.dataset.b, MEGABYTE)]);
    const worker = new Worker(page.dataset.worker, { type: "module" });
    const found = await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => resolve(data));
      worker.addEventListener("error", reject);
      worker.postMessage({ texts: [a.text, b.text], json: page.dataset.compare === "json" });
    });
    worker.terminate();
    return { ...found, cut: a.cut || b.cut };
  }

  function tell({ added, removed, ending, different, cut }) {
    const told = [word("changes", { added: number(added), removed: number(removed) })];
    if (!added && !removed) told[0] = word(ending ? "ending" : "same");
    if (different) told.push(word("different"));
    if (cut) told.push(word("cut"));
    facts.textContent = told.join(" ");
  }

  function draw() {
    const split = table.dataset.lines === "split";
    const body = table.tBodies[0];
    body.replaceChildren();
    table.querySelector("colgroup").replaceChildren(...(split ? SPLIT : UNIFIED).map(column));
    const rest = result.stretches.flatMap((stretch) =>
      stretch.folded ? [fold(stretch, split)] : shaped(stretch.rows, split),
    );
    const more = () => {
      body.append(...rest.splice(0, AT_ONCE).map((make) => make()));
      return rest.length > 0;
    };
    const near = () => scroll.scrollTop + 3 * scroll.clientHeight > scroll.scrollHeight;
    scroll.onscroll = () => near() && more();
    more();
  }

  async function show() {
    if (begun) return;
    begun = true;
    try {
      result = await find();
      tell(result);
      draw();
    } catch (error) {
      console.warn(error);
      facts.textContent = word("unreadable");
    }
    holder.toggleAttribute("data-ready", true);
  }

  modes.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-layout]");
    if (!button) return;
    table.dataset.lines = button.dataset.layout;
    for (const other of modes.querySelectorAll("[data-layout]")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    if (result) draw();
  });
  return { show };
}

/** Functions that make the table's rows: a line each, or what stands for each other side by side. */
function shaped(rows, split) {
  if (!split) return rows.map((row) => () => unified(row));
  const made = [];
  for (let at = 0; at < rows.length; ) {
    if (rows[at][0] === "=") {
      const row = rows[at++];
      made.push(() => beside(row, row));
      continue;
    }
    const [left, right] = [[], []];
    while (at < rows.length && rows[at][0] !== "=") (rows[at][0] === "-" ? left : right).push(rows[at++]);
    for (let i = 0; i < Math.max(left.length, right.length); i += 1) made.push(() => beside(left[i], right[i]));
  }
  return made;
}

function fold({ rows }, split) {
  return () => {
    const line = document.createElement("tr");
    line.className = "folded";
    const cell = line.insertCell();
    cell.colSpan = split ? 4 : 3;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word("folded", { count: number(rows.length) });
    button.addEventListener("click", () => line.replaceWith(...shaped(rows, split).map((make) => make())));
    cell.append(button);
    return line;
  };
}

function unified(row) {
  const [sign, a, b] = row;
  const line = document.createElement("tr");
  line.append(numbered(a), numbered(b), text(row));
  line.dataset.sign = sign;
  return line;
}

function beside(left, right) {
  const line = document.createElement("tr");
  line.append(numbered(left?.[1]), text(left), numbered(right?.[2]), text(right));
  return line;
}

function column(name) {
  const element = document.createElement("col");
  element.className = name;
  return element;
}

function numbered(value) {
  const cell = document.createElement("td");
  cell.className = "line-number";
  cell.textContent = value || "";
  return cell;
}

function text(row) {
  const cell = document.createElement("td");
  cell.className = "line-text";
  if (!row) return cell;
  const [sign, , , pieces] = row;
  cell.dataset.sign = sign;
  if (sign !== "=") cell.append(spoken(sign === "+" ? word("added") : word("removed")));
  let room = LONGEST;
  for (const [piece, marked] of pieces) {
    const shown = piece.length > room ? `${piece.slice(0, room)}…` : piece;
    room = Math.max(0, room - piece.length);
    const element = document.createElement(marked ? "mark" : "span");
    element.textContent = shown.replace(/\r$/, "␍");
    cell.append(element);
    if (!room) break;
  }
  return cell;
}

function spoken(label) {
  const element = document.createElement("span");
  element.className = "spoken";
  element.textContent = `${label}: `;
  return element;
}
