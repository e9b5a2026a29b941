// JSON as a tree that opens branch by branch; a branch is built when it is opened.

import { fill, number } from "./words.js";

const OPEN = 2;
const BRANCHES = 500;

export function showTree(root, value) {
  root.append(entry(root, null, value, 0));
}

function entry(root, key, value, depth) {
  return value !== null && typeof value === "object" ? branch(root, key, value, depth) : leaf(key, value);
}

function label(key) {
  const name = document.createElement("span");
  name.className = "key";
  name.textContent = key === null ? "" : `${key}: `;
  return name;
}

function leaf(key, value) {
  const line = document.createElement("div");
  const shown = document.createElement("span");
  shown.className = typeof value === "string" ? "string" : "plain";
  shown.textContent = JSON.stringify(value);
  line.append(label(key), shown);
  return line;
}

function branch(root, key, value, depth) {
  const entries = Object.entries(value);
  const list = Array.isArray(value);
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.append(label(key), list ? `[ ${entries.length} ]` : `{ ${entries.length} }`);
  details.append(summary);
  const grow = () => {
    const inside = document.createElement("div");
    for (const [name, each] of entries.slice(0, BRANCHES)) inside.append(entry(root, name, each, depth + 1));
    if (entries.length > BRANCHES) inside.append(fill(root.dataset.more, { count: number(entries.length - BRANCHES) }));
    details.append(inside);
  };
  if (depth < OPEN) {
    details.open = true;
    grow();
  } else {
    details.addEventListener("toggle", grow, { once: true });
  }
  return details;
}
