// What a command prints, as a terminal would show it, and never more than the page can carry.

const LINES = 2000;
const SLACK = 200;
const CHARACTERS = 400_000;
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

export class Output {
  /** Prints into `pre`; `clipped` is shown once the beginning had to go. */
  constructor(pre, clipped) {
    this.pre = pre;
    this.clipped = clipped;
    this.closed = document.createTextNode("");
    this.open = document.createTextNode("");
    this.lines = 0;
    pre.replaceChildren(this.closed, this.open);
  }

  get empty() {
    return !this.closed.length && !this.open.length;
  }

  get lastLine() {
    return this.open.data.trim() || this.closed.data.slice(-400).trimEnd().split("\n").at(-1);
  }

  write(text) {
    const low = this.pre.scrollHeight - this.pre.scrollTop - this.pre.clientHeight < 40;
    const [first, ...rest] = text.replace(ESCAPES, "").replaceAll("\r\n", "\n").split("\n");
    let current = overwrite(this.open.data + first);
    let finished = "";
    for (const line of rest) {
      finished += `${current}\n`;
      current = overwrite(line);
    }
    this.closed.appendData(finished);
    this.open.data = current.slice(-CHARACTERS);
    this.lines += rest.length;
    this.trim();
    this.pre.hidden = this.empty;
    if (low) this.pre.scrollTop = this.pre.scrollHeight;
  }

  trim() {
    if (this.lines <= LINES + SLACK && this.closed.length <= 1.25 * CHARACTERS) return;
    const kept = this.closed.data.slice(-CHARACTERS).split("\n").slice(-LINES - 1);
    this.closed.data = kept.join("\n");
    this.lines = kept.length - 1;
    this.clipped.hidden = false;
  }
}

/** A carriage return begins the line anew, as progress bars do. */
function overwrite(line) {
  const parts = line.split("\r");
  const last = parts.at(-1);
  return last === "" && parts.length > 1 ? `${parts.at(-2)}\r` : last;
}
