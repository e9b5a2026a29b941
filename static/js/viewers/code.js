// Text and code: line numbers, colours by language, wrapping.

import { copies, onKeys, part, press, text, tool } from "./parts.js";

const COLOURED = 300_000; // characters; colouring more takes a second and longer
const LONG = 1000; // characters; nobody scrolls along such a line
const BLOCK = 200; // lines that the browser lays out together, when they come into view
const LANGUAGES = {
  py: "python", js: "javascript", mjs: "javascript", ts: "typescript", tsx: "typescript", jsx: "javascript", sh: "bash",
  css: "css", scss: "scss", html: "xml", htm: "xml", svg: "xml", xml: "xml", musicxml: "xml", json: "json", jsonl: "json",
  yaml: "yaml", yml: "yaml", toml: "ini", ini: "ini", md: "markdown", sql: "sql", tex: "latex", c: "c", h: "c", cpp: "cpp",
  hpp: "cpp", cs: "csharp", java: "java", kt: "kotlin", go: "go", rs: "rust", rb: "ruby", php: "php", lua: "lua", r: "r",
  jl: "julia", swift: "swift", glsl: "glsl", vert: "glsl", frag: "glsl", bash: "bash", python: "python", shell: "bash",
  javascript: "javascript", typescript: "typescript", rust: "rust", ly: "latex",
};

export async function show(viewer) {
  const source = part(viewer, "source");
  const content = await text(viewer);
  const wrap = () => press(tool("wrap"), source.classList.toggle("wrapped"));
  await showCode(source, content, viewer.dataset.name.split(".").pop());
  copies(() => content);
  tool("wrap").addEventListener("click", wrap);
  onKeys({ w: wrap });
  const known = viewer.dataset.name.split(".").pop().toLowerCase() in LANGUAGES;
  if (!known || content.split("\n").some(({ length }) => length > LONG)) wrap();
}

/** Fills `element` with numbered lines of `content`, coloured if the language is known. */
export async function showCode(element, content, language) {
  const lines = [[]];
  for (const { name, words } of await pieces(content, language)) {
    words.split("\n").forEach((piece, at) => {
      if (at) lines.push([]);
      lines.at(-1).push(name ? span(name, piece) : piece);
    });
  }
  if (lines.length > 1 && !lines.at(-1).some((piece) => piece.textContent ?? piece)) lines.pop();
  element.style.setProperty("--digits", `${String(lines.length).length}ch`);
  element.replaceChildren();
  for (let from = 0; from < lines.length; from += BLOCK) {
    const block = span("lines", "");
    for (let at = from; at < Math.min(from + BLOCK, lines.length); at += 1) {
      const line = span("line", "");
      line.dataset.number = at + 1;
      line.append(...lines[at], "\n");
      block.append(line);
    }
    element.append(block);
  }
}

function span(name, words) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = words;
  return element;
}

/** The text in pieces with the names of their colours; of the highlighter's markup only these are taken. */
async function pieces(content, ending) {
  const language = LANGUAGES[ending.toLowerCase()];
  if (!language || content.length > COLOURED) return [{ name: "", words: content }];
  const [{ default: highlighter }, { default: grammar }] = await Promise.all([
    import("../../highlight/core.min.js"),
    import(`../../highlight/languages/${language}.min.js`),
  ]);
  highlighter.registerLanguage(language, grammar);
  const { value } = highlighter.highlight(content, { language, ignoreIllegals: true });
  const walker = document.createTreeWalker(new DOMParser().parseFromString(value, "text/html").body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const name = walker.currentNode.parentElement.className.split(" ")[0];
    found.push({ name: name.startsWith("hljs-") ? name : "", words: walker.currentNode.data });
  }
  return found;
}
