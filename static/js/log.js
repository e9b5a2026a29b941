// What a command prints, as a terminal would show it, and never more than the page can carry.

import { createAnsiSequenceParser } from "../ansi-sequence-parser/index.js";

const LINES = 2000;
const SLACK = 200;
const CHARACTERS = 400_000;
const PIECE = 200; // lines that go together when the beginning has to
// All sequences but those that colour, whatever else begins like one, and one whose end is to come.
const ESCAPES = /\x1b(?:\[(?![\d;]*m)[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[0-Z\\^-~]|(?!\[))/g;
const UNFINISHED = /\x1b(?:\[[0-?]{0,32}|\][^\x07\x1b]{0,200}|[ -/]{0,4})?$/;
const RESET = /\x1b\[;*m/g;
// 256 colours: after the 16 with names a cube of 6 levels each, and greys.
const LEVELS = [0, 95, 135, 175, 215, 255];
const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

export class Output {
  /** Prints into `pre`; `clipped` is shown once the beginning had to go. */
  constructor(pre, clipped) {
    this.pre = pre;
    this.clipped = clipped;
    this.parser = createAnsiSequenceParser();
    this.rest = "";
    this.line = []; // the tokens of the line that is still written
    this.open = document.createElement("span");
    this.pieces = [];
    this.lines = 0;
    this.characters = 0;
    pre.replaceChildren(this.open);
  }

  get empty() {
    return !this.pieces.length && !this.open.textContent;
  }

  get lastLine() {
    const last = this.open.textContent.trim();
    return last || (this.pieces.at(-1)?.element.textContent.slice(-400).trimEnd().split("\n").at(-1) ?? "");
  }

  write(text) {
    const low = this.pre.scrollHeight - this.pre.scrollTop - this.pre.clientHeight < 40;
    const whole = this.rest + text;
    this.rest = whole.match(UNFINISHED)?.[0] ?? "";
    const come = whole.slice(0, whole.length - this.rest.length).replace(ESCAPES, "").replace(RESET, "\x1b[0m").replaceAll("\r\n", "\n");
    for (const token of this.parser.parse(come)) this.take(token);
    if (this.pieces.length) flush(this.pieces.at(-1));
    this.open.replaceChildren(...this.line.map(drawn));
    this.trim();
    this.pre.hidden = this.empty;
    if (low) this.pre.scrollTop = this.pre.scrollHeight;
  }

  take(token) {
    const [first, ...rest] = token.value.split("\n");
    this.overwrite(token, first);
    for (const line of rest) {
      this.close();
      this.overwrite(token, line);
    }
  }

  /** A carriage return begins the line anew, as progress bars do, once something follows it. */
  overwrite(token, text) {
    for (const [index, part] of text.split("\r").entries()) {
      if (index) this.returned = true;
      if (!part) continue;
      if (this.returned) this.line = [];
      this.returned = false;
      this.line.push({ ...token, value: part });
      const length = this.line.reduce((sum, { value }) => sum + value.length, 0);
      if (length > CHARACTERS) this.line = [{ ...token, value: part.slice(-CHARACTERS) }];
    }
  }

  /** The line is finished; what is plain waits to be put in with its neighbours. */
  close() {
    let piece = this.pieces.at(-1);
    if (!piece || piece.lines >= PIECE || piece.characters > CHARACTERS / 8) {
      if (piece) flush(piece);
      piece = { element: document.createElement("span"), plain: "", lines: 0, characters: 0 };
      this.pieces.push(piece);
      this.open.before(piece.element);
    }
    const characters = this.line.reduce((sum, { value }) => sum + value.length, 1);
    for (const token of this.line) {
      if (plain(token)) {
        piece.plain += token.value;
        continue;
      }
      flush(piece);
      piece.element.append(drawn(token));
    }
    piece.plain += "\n";
    piece.lines += 1;
    piece.characters += characters;
    this.lines += 1;
    this.characters += characters;
    this.line = [];
    this.returned = false;
  }

  trim() {
    while (this.pieces.length > 1 && (this.lines > LINES + SLACK || this.characters > 1.25 * CHARACTERS)) {
      const { element, lines, characters } = this.pieces.shift();
      element.remove();
      this.lines -= lines;
      this.characters -= characters;
      this.clipped.hidden = false;
    }
  }
}

function flush(piece) {
  if (piece.plain) piece.element.append(piece.plain);
  piece.plain = "";
}

const plain = ({ foreground, background, decorations }) => !foreground && !background && !decorations.size;

/** A piece of text in its colours; plain text is only text. */
function drawn(token) {
  const { value, foreground, background, decorations } = token;
  if (plain(token)) return document.createTextNode(value);
  const span = document.createElement("span");
  const reversed = decorations.has("reverse");
  paint(span, reversed ? background : foreground, "ink");
  paint(span, reversed ? foreground : background, "ground");
  if (reversed) span.classList.add("ansi-reverse");
  for (const name of ["bold", "dim", "italic", "underline", "strikethrough"]) {
    if (decorations.has(name)) span.classList.add(`ansi-${name}`);
  }
  span.textContent = value;
  return span;
}

function paint(span, color, where) {
  if (!color) return;
  const named = color.type === "named" ? color.name : color.type === "table" && color.index < 16 ? nameOf(color.index) : null;
  if (named) span.classList.add(`ansi-${where}-${named}`);
  else span.style[where === "ink" ? "color" : "backgroundColor"] = `rgb(${color.type === "rgb" ? color.rgb : level(color.index)})`;
}

function nameOf(index) {
  const name = NAMES[index % 8];
  return index < 8 ? name : `bright${name[0].toUpperCase()}${name.slice(1)}`;
}

function level(index) {
  if (index >= 232) return Array(3).fill(8 + 10 * (index - 232));
  const place = index - 16;
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((part) => LEVELS[part]);
}
