// What every page says when the studio can't be reached, or does not know any more who asks.

import { forgetDrafts } from "./drafts.js";
import { keepFocus } from "./focus.js";

const offline = document.getElementById("offline");
const unanswered = document.getElementById("unanswered");
const { worker, signIn } = document.body.dataset;
const UNANSWERED = ["htmx:responseError", "htmx:sendError", "htmx:timeout"];

const showOffline = () => (offline.hidden = navigator.onLine);

/** Says why there is no answer: `lost` or `signed-out`. */
export function tell(why) {
  for (const line of unanswered.querySelectorAll("[data-why]")) line.hidden = line.dataset.why !== why;
  unanswered.hidden = false;
}

export function complain(place, text) {
  const line = document.createElement("p");
  line.textContent = text;
  place.replaceChildren(line);
}

/** Where there is no answer, `form` says `text` in `place` until it is sent again. */
export function complains(form, place, text) {
  const own = (act) => ({ target }) => target === form && act();
  form.addEventListener("htmx:beforeRequest", own(() => place.replaceChildren()));
  for (const name of UNANSWERED) form.addEventListener(name, own(() => complain(place, text)));
}

for (const name of ["online", "offline"]) window.addEventListener(name, showOffline);
showOffline();

// Forms that keep what was written say so themselves.
for (const name of UNANSWERED) {
  document.addEventListener(name, ({ target }) => target.closest("[data-offline]") || tell("lost"));
}

// Where a form's answer is asked for, the page to sign in would be put in the form's place.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!signIn || new URL(detail.xhr.responseURL, location).pathname !== signIn) return;
  detail.shouldSwap = false;
  tell("signed-out");
});

unanswered.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-hides]")) return;
  unanswered.hidden = true;
  keepFocus(document.getElementById("main"));
});

document.addEventListener("submit", ({ target }) => target.matches("[data-signs-out]") && forgetDrafts());

// It shows a page of ours instead of the browser's while the studio can't be reached.
if (worker && "serviceWorker" in navigator) {
  window.addEventListener("load", () => navigator.serviceWorker.register(worker).catch(() => {}));
}
