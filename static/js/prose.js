// The little Markdown that models write, as elements; nothing of it is ever parsed as HTML.

const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g;
const FENCE = /^\s*```/;
const HEADING = /^#{1,4} (.+)$/;
const BULLET = /^\s*[-*•] /;
const NUMBER = /^\s*\d+[.)] /;

function inline(parent, text) {
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    parent.append(text.slice(at, match.index));
    const element = document.createElement(match[1] ? "code" : "strong");
    element.textContent = match[1] ?? match[2];
    parent.append(element);
    at = match.index + match[0].length;
  }
  parent.append(text.slice(at));
}

/** The block that `line` begins, and whether a later line belongs to it. */
function begin(line) {
  if (FENCE.test(line)) return { name: "pre", goesOn: () => true };
  if (HEADING.test(line)) return { name: "h3", goesOn: () => false };
  if (BULLET.test(line)) return { name: "ul", item: BULLET, goesOn: (next) => next.trim() && !NUMBER.test(next) };
  if (NUMBER.test(line)) return { name: "ol", item: NUMBER, goesOn: (next) => next.trim() && !BULLET.test(next) };
  return { name: "p", goesOn: (next) => next.trim() && begin(next).name === "p" };
}

function add(block, line) {
  const { name, item, element } = block;
  if (name === "pre") {
    if (block.opened) element.append(element.hasChildNodes() ? `\n${line}` : line);
    block.opened = true;
  } else if (item?.test(line)) {
    if (name === "ol" && !element.hasChildNodes()) element.start = parseInt(line, 10);
    inline(element.appendChild(document.createElement("li")), line.replace(item, ""));
  } else if (item) {
    inline(element.lastElementChild, ` ${line.trim()}`);
  } else {
    if (element.hasChildNodes()) element.append(document.createElement("br"));
    inline(element, line.replace(HEADING, "$1"));
  }
}

/** Fills `parent` with the paragraphs, lists, headings and code of `text`. */
export function prose(parent, text) {
  parent.replaceChildren();
  let block = null;
  for (const line of text.split("\n")) {
    if (block?.name === "pre" && FENCE.test(line)) {
      block = null;
      continue;
    }
    if (block && !block.goesOn(line)) block = null;
    if (!block) {
      if (!line.trim()) continue;
      block = begin(line);
      block.element = parent.appendChild(document.createElement(block.name));
    }
    add(block, line);
  }
}
