// On a file's page: what is being found out about it appears when it is known.

const [SOON, LATEST] = [2000, 60_000];

/** The same page again, of which only the checks are taken. */
async function look(pause) {
  const shown = document.querySelector("[data-checks]");
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const news = page.querySelector("[data-checks]");
  if (!news) return;
  if (open(news)) later(pause * 1.5);
  // An open panel stays open.
  else if (shown.querySelector("[popover]").matches(":popover-open")) swap(shown, news).querySelector("[popover]").showPopover();
  else swap(shown, news);
}

function open({ dataset }) {
  return dataset.checks === "waiting" || dataset.checks === "running";
}

function swap(shown, news) {
  const taken = document.adoptNode(news);
  shown.replaceWith(taken);
  window.htmx?.process(taken);
  return taken;
}

function later(pause) {
  if (pause < LATEST) setTimeout(() => look(pause).catch(() => later(pause * 1.5)), pause);
}

later(SOON);
