// A CSV file as a table that sorts by any column.

import { fill, number } from "./words.js";

const ROWS = 1000;

export function showTable(viewer, text) {
  const { data } = Papa.parse(text.replace(/^\ufeff/, ""), { preview: ROWS + 2, skipEmptyLines: true });
  const [head = [], ...all] = data;
  const rows = all.slice(0, ROWS);
  const numeric = head.map((_, column) => rows.every((row) => isNumber(row[column])));
  const table = viewer.querySelector("[data-table]");
  const body = document.createElement("tbody");
  const header = document.createElement("tr");
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

  const show = () => {
    body.replaceChildren(
      ...rows.map((row) => {
        const line = document.createElement("tr");
        line.append(
          ...head.map((_, column) => {
            const cell = document.createElement("td");
            cell.textContent = row[column] ?? "";
            cell.className = numeric[column] ? "number" : "";
            return cell;
          }),
        );
        return line;
      }),
    );
  };

  const sort = (column, cell) => {
    const down = cell.getAttribute("aria-sort") === "ascending";
    for (const other of header.children) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => {
      const [x, y] = [a[column] ?? "", b[column] ?? ""];
      const order = numeric[column] ? Number(x) - Number(y) : collator.compare(x, y);
      return down ? -order : order;
    });
    show();
  };

  head.forEach((name, column) => {
    const cell = document.createElement("th");
    const button = document.createElement("button");
    cell.scope = "col";
    cell.className = numeric[column] ? "number" : "";
    button.type = "button";
    button.textContent = name;
    button.title = fill(table.dataset.sort, { name });
    button.addEventListener("click", () => sort(column, cell));
    cell.append(button);
    header.append(cell);
  });
  const top = document.createElement("thead");
  top.append(header);
  table.append(top, body);
  const facts = viewer.querySelector("[data-facts]");
  const wording = all.length > ROWS ? facts.dataset.first : facts.dataset.rows;
  facts.textContent = fill(wording, { rows: number(rows.length), columns: number(head.length) });
  show();
}

function isNumber(text = "") {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
