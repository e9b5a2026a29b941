// On a file's page: what is being found out about it appears when it is known.

const [SOON, LATEST] = [2000, 30_000];

/** The same page again, of which only the checks are taken. */
async function look(pause) {
  const shown = document.querySelector("[data-checks]");
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (response.status >= 500) throw new Error(response.statusText);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const news = page.querySelector("[data-checks]");
  if (!news) return;
  if (news.dataset.checks === "open") later(pause);
  // An open panel stays open.
  else if (shown.querySelector("[popover]").matches(":popover-open")) swap(shown, news).querySelector("[popover]").showPopover();
  else swap(shown, news);
}

function swap(shown, news) {
  const taken = document.adoptNode(news);
  const held = shown.contains(document.activeElement);
  shown.replaceWith(taken);
  window.htmx.process(taken);
  if (held) taken.querySelector("button").focus({ preventScroll: true });
  return taken;
}

/** Looks again, and less often with time; who serves the page says when nothing is to come. */
function later(pause) {
  const longer = Math.min(LATEST, pause * 1.5);
  setTimeout(() => look(longer).catch(() => later(longer)), pause);
}

later(SOON);
