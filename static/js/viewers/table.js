// A table of values that sorts by any column and shows the rows that hold a word.

import { fill, number } from "../words.js";
import { part, text } from "./parts.js";

const MEGABYTES = 10;
const ROWS = 200; // put onto the page at once; more when one scrolls there

export async function show(viewer) {
  const content = await text(viewer, MEGABYTES);
  const { data } = Papa.parse(content.replace(/^\ufeff/, ""), { skipEmptyLines: true });
  const [head = [], ...all] = data;
  const columns = head.map((name, at) => ({ name, at, numeric: isNumeric(all, at) }));
  const table = part(viewer, "table");
  const [facts, filter, scroll] = ["facts", "filter", "scroll"].map((name) => part(viewer, name));
  const body = document.createElement("tbody");
  const header = document.createElement("tr");
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  let rows = all;
  let shown = 0;

  const more = () => {
    body.append(...rows.slice(shown, shown + ROWS).map(line));
    shown = Math.min(rows.length, shown + ROWS);
  };
  const again = () => {
    body.replaceChildren();
    scroll.scrollTop = 0;
    shown = 0;
    more();
    const counts = { shown: number(rows.length), rows: number(all.length), columns: number(head.length) };
    facts.textContent = fill(rows === all ? facts.dataset.rows : facts.dataset.some, counts);
  };
  const line = (row) => {
    const element = document.createElement("tr");
    for (const { at, numeric } of columns) {
      const cell = element.insertCell();
      cell.textContent = row[at] ?? "";
      if (numeric) cell.className = "number";
      if (cell.textContent.length > 60) cell.title = cell.textContent;
    }
    return element;
  };
  const sort = ({ at, numeric }, cell) => {
    const down = cell.getAttribute("aria-sort") === "ascending";
    for (const other of header.children) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    all.sort((a, b) => {
      const [x, y] = [a[at] ?? "", b[at] ?? ""];
      if (!x || !y) return !x - !y; // empty ones last, either way
      const order = numeric ? value(x) - value(y) : collator.compare(x, y);
      return down ? -order : order;
    });
    choose();
  };
  const choose = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (row) => words.every((word) => row.some((cell) => cell.toLowerCase().includes(word)));
    rows = words.length ? all.filter(holds) : all;
    again();
  };

  for (const column of columns) {
    const cell = document.createElement("th");
    const button = document.createElement("button");
    cell.scope = "col";
    cell.className = column.numeric ? "number" : "";
    button.type = "button";
    button.textContent = column.name || fill(table.dataset.column, { number: number(column.at + 1) });
    button.title = fill(table.dataset.sort, { name: button.textContent });
    button.addEventListener("click", () => sort(column, cell));
    cell.append(button);
    header.append(cell);
  }
  table.createTHead().append(header);
  table.append(body);
  filter.addEventListener("input", choose);
  scroll.addEventListener("scroll", () => {
    if (scroll.scrollTop + 2 * scroll.clientHeight > scroll.scrollHeight) more();
  });
  again();
}

/** `1,200`, `12 %` and `€ 3.50` are numbers too. */
function value(text) {
  return Number(text.replace(/[\s,%€$£¥_]/g, "") || NaN);
}

function isNumeric(rows, column) {
  const filled = rows.map((row) => row[column] ?? "").filter(Boolean);
  return filled.length > 0 && filled.every((text) => Number.isFinite(value(text)));
}
