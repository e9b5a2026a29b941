// An open file follows the run that is still at work: what it shows changes as the file does.

import { Feed } from "./socket.js";
import { fill } from "./words.js";

const GATHER = 150;
const READ = 6000;
const viewer = document.querySelector("[data-viewer]");
const notice = document.querySelector("[data-arrived]");
const show = notice?.querySelector("[data-arrived-show]");
let gathering, hiding;

function tell(text, { lasting }) {
  notice.querySelector("[data-arrived-text]").textContent = text;
  show.hidden = !lasting;
  notice.hidden = false;
  clearTimeout(hiding);
  if (!lasting) hiding = setTimeout(() => (notice.hidden = true), READ);
}

/** A player goes on from where it is; one that plays is left alone until it stops. */
function player(media, url) {
  const swap = () => {
    const { playbackRate } = media;
    const at = media.ended ? 0 : media.currentTime;
    const goOn = () => Object.assign(media, { playbackRate, currentTime: Math.min(at, media.duration || 0) });
    media.addEventListener("loadedmetadata", goOn, { once: true });
    media.src = url;
  };
  media.pending = url;
  if (media.paused) swap();
  else media.addEventListener("pause", () => media.pending === url && swap(), { once: true });
}

/** Shows other bytes in the place of the ones shown; false where the page must come anew. */
async function replace(kind, url) {
  viewer.dataset.url = url;
  const frame = viewer.querySelector("iframe");
  const image = viewer.querySelector("[data-canvas] img");
  const media = viewer.querySelector("video, audio");
  if (kind === "html" && frame) frame.contentWindow.location.replace(url);
  else if ((kind === "image" || kind === "svg") && image) {
    const next = new Image();
    next.src = url;
    if (await next.decode().then(() => true, () => false)) image.src = url;
  } else if ((kind === "video" || kind === "audio") && media) player(media, url);
  else return false;
  return true;
}

/** What the page says about the version it shows. */
function retell(page) {
  for (const part of [".viewer-name", "#versions", "[popovertarget='versions']"]) {
    const [now, then] = [document.querySelector(part), page.querySelector(part)];
    if (now && then) now.replaceChildren(...then.childNodes);
  }
}

async function update(own) {
  const response = await fetch(location.pathname).catch(() => null);
  // Who is not signed in any more is led elsewhere.
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const { url, number, viewer: kind } = page.querySelector("[data-viewer]").dataset;
  const text = number === viewer.dataset.number ? notice.dataset.anew : fill(notice.dataset.version, { number });
  if (notice.dataset.pinned !== undefined) {
    tell(text, { lasting: true });
    return;
  }
  // What could not be shown may be whole by now.
  if (viewer.dataset.trouble) {
    location.reload();
    return;
  }
  const shown = await replace(kind, url);
  if (!own) return;
  if (shown) {
    retell(page);
    viewer.dataset.number = number;
  }
  tell(text, { lasting: !shown });
}

function follow() {
  const { path, seq, socket, events } = notice.dataset;
  let own = false;
  const take = (list) => {
    const saved = list.filter(({ kind }) => kind === "artifact.saved").map(({ data }) => data.path);
    const isPage = viewer.dataset.viewer === "html" && notice.dataset.pinned === undefined;
    if (!saved.includes(path) && !(isPage && saved.length)) return;
    own ||= saved.includes(path);
    clearTimeout(gathering);
    gathering = setTimeout(() => {
      update(own);
      own = false;
    }, GATHER);
  };
  const ignore = () => {};
  const feed = new Feed({ socketPath: socket, eventsUrl: events, on: { events: take, run: ignore, hint: ignore, connected: ignore } });
  feed.seq = Number(seq);
  feed.follow();
}

if (notice) follow();
