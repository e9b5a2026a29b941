// On a wide screen the newest file stands large before the others: the file itself, not its poster.

const WIDE = matchMedia("(min-width: 56.01rem)");
// What takes longer may never be done: its poster says as much.
const PATIENCE = 10_000;

/** What shows a file of this kind; others have their poster, or a player of their own. */
const MAKERS = {
  image: picture,
  svg: picture,
  html: page,
  video,
};

function picture(url) {
  const image = new Image();
  image.alt = "";
  image.src = url;
  return { element: image, ready: image.decode() };
}

/** Alive, but to be looked at: whoever wants to use it opens it with a click. */
function page(url, name) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.title = name;
  frame.tabIndex = -1;
  frame.inert = true;
  frame.src = url;
  return { element: frame, ready: new Promise((loaded) => frame.addEventListener("load", loaded, { once: true })) };
}

function video(url, name) {
  const element = document.createElement("video");
  Object.assign(element, { src: url, controls: true, playsInline: true, preload: "metadata" });
  element.setAttribute("aria-label", name);
  return { element, ready: new Promise((loaded) => element.addEventListener("loadeddata", loaded, { once: true })) };
}

export class Stage {
  constructor(wall) {
    this.wall = wall;
    new MutationObserver(() => this.show()).observe(wall, { childList: true });
    WIDE.addEventListener("change", () => this.show());
    // Not before: a page in it that never ends loading would keep this one from it.
    addEventListener("load", () => this.show(), { once: true });
    this.show();
  }

  show() {
    if (document.readyState !== "complete") return;
    const card = WIDE.matches ? this.wall.querySelector(".card") : null;
    if (card === this.card) return;
    this.staged?.remove();
    this.card = card;
    this.staged = card?.dataset.url ? this.put(card) : null;
  }

  /** Over the poster, which stays in its place until there is more to see. */
  put(card) {
    const { kind, url } = card.dataset;
    const { element, ready } = MAKERS[kind](url, card.querySelector(".card-name").textContent);
    const staged = document.createElement("div");
    staged.className = "staged";
    staged.dataset.look = kind;
    staged.append(element);
    card.querySelector(".mat").after(staged);
    const waiting = setTimeout(() => staged.remove(), PATIENCE);
    ready.then(() => (staged.dataset.ready = ""), () => staged.remove()).then(() => clearTimeout(waiting));
    return staged;
  }
}
