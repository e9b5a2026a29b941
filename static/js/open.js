// A page that is open as long as its reader may look at it: when not, the server says so, and
// nothing stays on the screen.

const NOT_FOUND = 4404;
const SLOWEST = 30_000;

/** Follows the page's socket; `hear` gets what it says. */
export function whileOpen(path, hear = () => {}) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  let failures = 0;

  function open() {
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    socket.addEventListener("open", () => (failures = 0));
    socket.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => {
      if (code === NOT_FOUND) location.reload();
      else setTimeout(open, Math.min(SLOWEST, 1000 * 2 ** failures++) * (0.75 + Math.random() / 2));
    });
  }

  // A page that the browser kept while somebody was elsewhere comes back as it was.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  open();
}

const page = document.querySelector("[data-watched]");
if (page) whileOpen(page.dataset.watched);
