// A page that somebody opened with a link: it goes when the link is closed, and says what is new.

const CLOSED = 4404;
const SLOWEST = 30_000;
const page = document.querySelector("[data-shared]");
const news = document.querySelector("[data-news]");
let failures = 0;

function watch() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${page.dataset.socket}`);
  socket.addEventListener("message", ({ data }) => {
    failures = 0;
    news.hidden = JSON.parse(data).stamp === page.dataset.stamp;
  });
  socket.addEventListener("close", ({ code }) => {
    // The server says it better, and nothing stays on the screen.
    if (code === CLOSED) location.reload();
    else setTimeout(watch, Math.min(SLOWEST, 1000 * 2 ** failures++) * (0.75 + Math.random() / 2));
  });
}

news.querySelector("button").addEventListener("click", () => location.reload());
// A page that the browser kept while somebody was elsewhere comes back as it was.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
watch();
