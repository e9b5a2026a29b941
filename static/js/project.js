// The live page of a project: conversation, status and gallery, fed by the newest run's events.

import { announce } from "./announce.js";
import { composers } from "./composer.js";
import { Gallery } from "./gallery.js";
import { LiveTile } from "./live-tile.js";
import { Notices } from "./notices.js";
import { panes } from "./panes.js";
import { RunView } from "./run.js";
import { Feed } from "./socket.js";
import { Stage } from "./stage.js";
import { Status } from "./status.js";
import { Steering } from "./steering.js";
import { fill } from "./words.js";

const page = document.querySelector("[data-project]");
const scroller = page.querySelector("[data-scroll]");
const announcer = document.querySelector("[data-announce]");
const connection = page.querySelector("[data-connection]");
const followUp = page.querySelector("[data-follow-up]");

const say = (text) => announce(announcer, text);
const gallery = new Gallery(page, (name) => say(fill(announcer.dataset.file, { name })));
new Stage(page.querySelector("[data-gallery]"));
const live = new LiveTile(page.querySelector("[data-live]"), say);
const status = new Status(page.querySelector("[data-status]"), page);
const notices = new Notices(document.querySelector("[data-notices]"));
const steering = new Steering(page.querySelector("[data-steer]"));
const [composer] = composers();

/** Runs `change`; who was reading the end of the conversation stays at its end. */
function keepingPlace(change) {
  const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 120;
  change();
  if (atEnd) scroller.scrollTop = scroller.scrollHeight;
}

function ended(reason) {
  status.end(reason);
  rest();
  say(announcer.dataset.ended);
  notices.tell(reason, status.title);
}

/** Nobody works: something new may be asked for. */
function rest() {
  gallery.working(false);
  gallery.doubt();
  live.clear();
  followUp.hidden = false;
  const typing = steering.form.contains(document.activeElement);
  steering.show(false);
  const unsaid = steering.take();
  if (unsaid) composer.append(unsaid);
  if (typing) composer.text.focus();
}

/** What was said too late becomes the next request, for the user to send. */
function ask(text) {
  composer.append(text);
  composer.text.focus();
}

/** Shows that the run that has not ended is worked on, or has paused and asks. */
function follow({ status: now, pause }) {
  if (now === "paused") {
    if (status.paused) return;
    status.pause();
    rest();
    say(`${announcer.dataset.asks} ${pause.question}`);
    notices.tell("paused", status.title);
  } else if (now !== "ended" && !status.active) {
    status.begin();
    gallery.working(true);
    followUp.hidden = true;
    steering.show(true);
  }
}

function feedOf(view) {
  return new Feed({
    socketPath: view.article.dataset.socket,
    eventsUrl: view.article.dataset.events,
    on: {
      events: (events) => {
        status.heard(events);
        keepingPlace(() => events.forEach((event) => view.apply(event)));
        events.forEach((event) => live.apply(event));
        gallery.refresh();
      },
      run: (run) => {
        status.update(run);
        if (view.active) follow(run);
        keepingPlace(() => view.update(run));
      },
      hint: (hint) => {
        live.hint(hint);
        status.hint(hint);
        keepingPlace(() => view.hint(hint));
      },
      connected: (yes) => (connection.hidden = yes),
    },
  });
}

for (const article of page.querySelectorAll("[data-run]")) {
  const active = article.dataset.state !== "ended";
  const ignore = () => {};
  const view = new RunView(article, (path) => gallery.fileUrl(path), {
    file: (path, digest) => active && gallery.saved(path, digest),
    inspected: (path) => gallery.inspected(path),
    removed: (path) => active && gallery.removed(path),
    say: active ? say : ignore,
    ask,
    answered: () => scroller.focus({ preventScroll: true }),
    ended,
  });
  const feed = feedOf(view);
  if (active) {
    if (article.dataset.state !== "paused") status.begin();
    feed.follow();
  } else if (article.dataset.inspecting !== undefined) {
    feed.follow();
  } else if (article.dataset.latest !== undefined) {
    feed.read().then(() => (scroller.scrollTop = scroller.scrollHeight));
  } else {
    const work = article.querySelector("[data-work]");
    work.addEventListener("toggle", () => feed.read(), { once: true });
  }
}

page.addEventListener("click", ({ target }) => {
  const branch = target.closest("[data-branch]");
  if (branch) composer.branch(branch.dataset.branch);
});

panes(page);
scroller.scrollTop = scroller.scrollHeight;
