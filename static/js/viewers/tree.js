// JSON as a tree that opens branch by branch; a branch is built when it is opened.

import { fill, number, word } from "../words.js";
import { copies, note, part, text, tool } from "./parts.js";

const OPEN = 2;
const BRANCHES = 500;
const MOST = 3000; // branches that "open all" builds
const FOUND = 500;
const DEEPEST = 200;
const [GLANCE, GLANCE_WORDS] = [4, 24];

export async function show(viewer) {
  const root = part(viewer, "tree");
  const content = await text(viewer, 5);
  copies(() => content);
  try {
    new Tree(root, JSON.parse(content));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    root.textContent = content;
    note(viewer, word("no-json"));
  }
}

class Tree {
  constructor(root, value) {
    this.root = root;
    this.value = value;
    this.grown = new WeakMap();
    root.append(this.entry(null, value, 0));
    for (const button of document.querySelectorAll("[data-open]")) {
      button.addEventListener("click", () => (button.dataset.open === "all" ? this.openAll() : this.closeAll()));
    }
    this.searching();
  }

  entry(key, value, depth) {
    return value !== null && typeof value === "object" ? this.branch(key, value, depth) : leaf(key, value);
  }

  branch(key, value, depth) {
    const entries = Object.entries(value);
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    const glance = document.createElement("span");
    glance.className = "glance";
    glance.textContent = inShort(value, entries);
    summary.append(label(key), Array.isArray(value) ? `[ ${entries.length} ]` : `{ ${entries.length} }`, glance);
    details.append(summary);
    const grow = () => {
      if (this.grown.has(details)) return this.grown.get(details);
      const inside = document.createElement("div");
      const children = new Map();
      this.grown.set(details, children);
      for (const [name, each] of entries.slice(0, BRANCHES)) {
        children.set(name, this.entry(name, each, depth + 1));
      }
      inside.append(...children.values());
      const hidden = entries.length - BRANCHES;
      if (hidden > 0) inside.append(fill(this.root.dataset.more, { count: number(hidden) }));
      details.append(inside);
      return children;
    };
    details.grow = grow;
    details.addEventListener("toggle", () => details.open && grow());
    if (depth < OPEN) {
      grow();
      details.open = true;
    }
    return details;
  }

  openAll() {
    const waiting = [...this.root.querySelectorAll(":scope > details")];
    for (let opened = 0; waiting.length && opened < MOST; opened += 1) {
      const details = waiting.shift();
      waiting.push(...[...details.grow().values()].filter((child) => child.grow));
      details.open = true;
    }
  }

  closeAll() {
    for (const details of this.root.querySelectorAll("details details")) details.open = false;
  }

  /** Enter goes from one place that holds the words to the next. */
  searching() {
    const field = tool("filter");
    const count = tool("found");
    let [paths, at] = [[], -1];
    const go = (step) => {
      this.root.querySelector(".found")?.classList.remove("found");
      at = paths.length ? (at + step + paths.length) % paths.length : -1;
      const many = paths.length === FOUND ? `${number(FOUND)}+` : number(paths.length);
      count.textContent = field.value ? fill(this.root.dataset.found, { number: number(at + 1), count: many }) : "";
      if (at >= 0) this.reveal(paths[at]);
    };
    field.addEventListener("input", () => {
      [paths, at] = [field.value ? this.find(field.value.toLowerCase()) : [], -1];
      go(1);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    });
  }

  find(words) {
    const paths = [];
    const look = (key, value, path) => {
      if (paths.length >= FOUND || path.length > DEEPEST) return;
      const plain = value === null || typeof value !== "object";
      if (`${key ?? ""}`.toLowerCase().includes(words) || (plain && `${value}`.toLowerCase().includes(words))) paths.push(path);
      if (!plain) for (const [name, each] of Object.entries(value).slice(0, BRANCHES)) look(name, each, [...path, name]);
    };
    look(null, this.value, []);
    return paths;
  }

  reveal(path) {
    let element = this.root.firstElementChild;
    for (const key of path) {
      const children = element.grow();
      element.open = true;
      element = children.get(key);
    }
    element.classList.add("found");
    element.scrollIntoView({ block: "center" });
  }
}

/** What a closed branch begins with. */
function inShort(value, entries) {
  const told = entries.slice(0, GLANCE).map(([key, each]) => {
    const nested = Array.isArray(each) ? "[…]" : "{…}";
    const words = each !== null && typeof each === "object" ? nested : JSON.stringify(each);
    const short = words.length > GLANCE_WORDS ? `${words.slice(0, GLANCE_WORDS)}…` : words;
    return Array.isArray(value) ? short : `${key}: ${short}`;
  });
  return ` ${told.join(", ")}${entries.length > GLANCE ? ", …" : ""}`;
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
