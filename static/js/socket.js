// Follows a run: what was missed is asked for by number, so nothing is lost and nothing comes twice.

const SLOWEST = 8000;
const SILENCE = 25_000;
// Who does not answer in this time may never do.
const PATIENCE = 15_000;
// Whatever else happens ends what was shown before it: the typing, the progress, the glimpses.
const PASSING = new Set(["tool.printed", "artifact.inspected"]);

export class Feed {
  /** `on` has events(list), run(status), hint({kind, …}), connected(boolean). */
  constructor({ socketPath, eventsUrl, on }) {
    this.socketPath = socketPath;
    this.eventsUrl = eventsUrl;
    this.on = on;
    this.seq = 0;
    this.turned = 0;
    this.taken = 0;
    this.failures = 0;
    this.done = false;
  }

  /** Reads all that has happened, without following. */
  async read() {
    for (let failures = 0; !this.done && failures < 5; ) {
      const news = await this.poll();
      if (news === undefined) await new Promise((done) => setTimeout(done, 300 * 2 ** failures++));
      else if (!news) return;
    }
  }

  follow() {
    window.addEventListener("online", () => this.reopen());
    document.addEventListener("visibilitychange", () => document.hidden || this.reopen());
    this.open();
  }

  open() {
    if (this.done) return;
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const asked = new URLSearchParams({ after: this.seq, lang: document.documentElement.lang });
    const socket = new WebSocket(`${scheme}://${location.host}${this.socketPath}?${asked}`);
    this.socket = socket;
    this.listen();
    const hear = (kind, act) => socket.addEventListener(kind, (event) => socket === this.socket && act(event));
    hear("open", () => {
      this.failures = 0;
      this.on.connected(true);
      this.listen();
    });
    hear("message", ({ data }) => {
      this.listen();
      this.take(JSON.parse(data));
    });
    hear("close", ({ code }) => this.lost(code));
  }

  listen() {
    clearTimeout(this.silence);
    if (!this.done) this.silence = setTimeout(() => this.doubt(this.socket), SILENCE);
  }

  /** A socket that died without a word, or never opens, is found out by asking the other way. */
  async doubt(socket) {
    const missed = await this.poll();
    if (this.done || socket !== this.socket) return;
    if (missed || socket.readyState === WebSocket.CONNECTING) {
      // Nobody knows how long it takes until it says that it is closed.
      this.lost();
      socket.close();
    } else this.listen();
  }

  lost(code) {
    clearTimeout(this.silence);
    this.socket = undefined;
    if (this.done) return;
    if (code === 4404) {
      location.reload();
      return;
    }
    this.failures += 1;
    if (this.failures > 1) this.on.connected(false);
    const delay = Math.min(SLOWEST, 300 * 2 ** this.failures) * (0.75 + Math.random() / 2);
    const waiting = setTimeout(async () => {
      if (this.failures > 2) await this.poll();
      if (this.waiting === waiting) this.open();
    }, delay);
    this.waiting = waiting;
  }

  reopen() {
    if (this.waiting) this.open();
  }

  /** The same answer over HTTP; true when there was something new, undefined when none came. */
  async poll() {
    const { taken } = this;
    const { events, run } = await this.answer().catch(() => ({}));
    if (!events) return undefined;
    // What the socket has told meanwhile may be newer than this state.
    return this.take(taken === this.taken ? { events, run } : { events });
  }

  async answer() {
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(`${this.eventsUrl}?after=${this.seq}`, { headers, signal });
    return response.ok ? response.json() : {};
  }

  take(message) {
    this.taken += 1;
    if (message.hint?.after >= this.turned) this.tell("hint", message.hint);
    const news = (message.events ?? []).filter((event) => event.seq > this.seq);
    if (news.length) {
      this.seq = news.at(-1).seq;
      this.turned = news.findLast(({ kind }) => !PASSING.has(kind))?.seq ?? this.turned;
      this.tell("events", news);
    }
    if (message.run) this.tell("run", message.run);
    const { status, inspecting, last_seq: last } = message.run ?? {};
    if (status === "ended" && !inspecting && this.seq >= last) this.finish();
    return news.length > 0;
  }

  /** What breaks in the page costs the page that, not what comes after it. */
  tell(kind, what) {
    try {
      this.on[kind](what);
    } catch (error) {
      reportError(error);
    }
  }

  finish() {
    this.done = true;
    clearTimeout(this.silence);
    this.on.connected(true);
    this.socket?.close();
  }
}
