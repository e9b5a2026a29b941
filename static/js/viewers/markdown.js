// A Markdown text as it reads, or as it is written.

import Purify from "../../dompurify/purify.es.mjs";
import Markdown from "../../markdown-it/markdown-it.esm.min.mjs";
import { showCode } from "./code.js";
import { copies, part, press, text } from "./parts.js";

const NO_FORMS = { FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"], FORBID_ATTR: ["style", "class", "name"] };

export async function show(viewer) {
  const content = await text(viewer);
  const [rendered, source] = [part(viewer, "rendered"), part(viewer, "source")];
  await render(rendered, content, viewer.dataset.url);
  await showCode(source, content, "md");
  source.classList.add("wrapped");
  copies(() => content);
  document.querySelector("[data-tools]").addEventListener("click", ({ target }) => {
    const { view } = target.closest("button")?.dataset ?? {};
    if (!view) return;
    rendered.hidden = view !== "rendered";
    source.hidden = view !== "source";
    for (const button of document.querySelectorAll("[data-view]")) press(button, button.dataset.view === view);
  });
}

async function render(article, content, url) {
  const markdown = new Markdown({ html: false, linkify: true, typographer: false });
  const languages = [];
  markdown.renderer.rules.fence = (tokens, at) => {
    languages.push(tokens[at].info.trim().split(/\s+/)[0]);
    return `<pre>${markdown.utils.escapeHtml(tokens[at].content)}</pre>`;
  };
  markdown.renderer.rules.code_block = (tokens, at) => {
    languages.push("");
    return `<pre>${markdown.utils.escapeHtml(tokens[at].content)}</pre>`;
  };
  markdown.renderer.rules.image = (tokens, at) => picture(tokens[at], url, markdown.utils.escapeHtml);
  for (const rule of ["th_open", "td_open"]) markdown.renderer.rules[rule] = cell;
  const html = markdown.render(content.replace(/^---\n[\s\S]*?\n---\n/, ""));
  article.append(Purify.sanitize(html, { ...NO_FORMS, RETURN_DOM_FRAGMENT: true }));
  await Promise.all([...article.querySelectorAll("pre")].map((code, at) => showCode(code, code.textContent, languages[at] ?? "")));
  name(article);
  for (const link of article.querySelectorAll("a")) lead(link);
  for (const item of article.querySelectorAll("li")) tick(item);
  for (const table of article.querySelectorAll("table")) {
    const room = document.createElement("div");
    room.className = "table-room";
    table.replaceWith(room);
    room.append(table);
  }
}

/** Headings can be led to; their names can't be those of the page's own parts. */
function name(article) {
  for (const heading of article.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    heading.id = `at-${heading.textContent.trim().toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").replace(/ /g, "-")}`;
  }
}

/** To the viewer of another file of the project, to a heading, or out in a new tab. */
function lead(link) {
  const href = link.getAttribute("href") ?? "";
  const target = URL.parse(href, location.href);
  if (href.startsWith("#")) {
    link.setAttribute("href", `#at-${decodeURIComponent(href.slice(1))}`);
  } else if (target?.origin !== location.origin) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  } else if (!target.pathname.startsWith(location.pathname.match(/^.*?\/files\//)[0])) {
    link.removeAttribute("href");
  }
}

/** Pictures are those of the project; one from elsewhere becomes a link to it. */
function picture(token, url, escape) {
  const base = new URL(url);
  const target = URL.parse(token.attrGet("src"), `${base.origin}${base.pathname}`);
  const words = escape(token.content || target?.host || "…");
  if (target?.origin === base.origin || target?.protocol === "data:") {
    return `<img src="${escape(target.href)}" alt="${words}" loading="lazy">`;
  }
  return target ? `<a href="${escape(target.href)}">${words}</a>` : words;
}

/** Markdown-it aligns cells by `style`, which pages of the app don't allow. */
function cell(tokens, at) {
  const align = /right|center/.exec(tokens[at].attrGet("style") ?? "")?.[0];
  return `<${tokens[at].tag}${align ? ` align="${align}"` : ""}>`;
}

function tick(item) {
  const first = item.firstChild?.nodeName === "P" ? item.firstChild.firstChild : item.firstChild;
  const found = /^\[([ xX])\] /.exec(first?.data ?? "");
  if (!found) return;
  first.data = `${found[1] === " " ? "☐" : "☑"} ${first.data.slice(found[0].length)}`;
  item.classList.add("task");
}
