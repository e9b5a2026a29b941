// What every page sends by itself, and says when the studio can't be reached, or does not know any more who asks.

import { forgetDrafts } from "./drafts.js";
import { keepFocus } from "./focus.js";

const offline = document.getElementById("offline");
const unanswered = document.getElementById("unanswered");
const { worker, signIn } = document.body.dataset;
const UNANSWERED = ["htmx:responseError", "htmx:sendError", "htmx:timeout"];

// What a page may send is told when it is made, and anew when its user signs in.
const OLD = 403;

const old = ({ xhr }) => xhr?.status === OLD;
const showOffline = () => (offline.hidden = navigator.onLine);

/** Says why there is no answer: `lost`, `signed-out` or `old`. */
function tell(why) {
  for (const line of unanswered.querySelectorAll("[data-why]")) line.hidden = line.dataset.why !== why;
  // What is not in a dialog that is open can't be reached, and is not heard.
  ([...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body).append(unanswered);
  unanswered.hidden = false;
}

/** The text of the answer; null where what was posted did not arrive, and then the page says so. */
export async function post(url, body) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "HX-Request": "true", "X-CSRFToken": token };
  try {
    const response = await fetch(url, { method: "POST", body, headers });
    // Who is not signed in any more is led elsewhere.
    if (response.ok && !response.redirected) return await response.text();
    tell(response.redirected ? "signed-out" : response.status === OLD ? "old" : "lost");
  } catch {
    tell("lost");
  }
  return null;
}

export function complain(place, text) {
  const line = document.createElement("p");
  line.textContent = text;
  place.replaceChildren(line);
}

/** Where there is no answer, `form` says `text` in `place` until it is sent again. */
export function complains(form, place, text) {
  form.addEventListener("htmx:beforeRequest", ({ target }) => target === form && place.replaceChildren());
  for (const name of UNANSWERED) {
    form.addEventListener(name, ({ target, detail }) => target === form && !old(detail) && complain(place, text));
  }
}

for (const name of ["online", "offline"]) window.addEventListener(name, showOffline);
showOffline();

// Forms that keep what was written say so themselves.
for (const name of UNANSWERED) {
  document.addEventListener(name, ({ target, detail }) => {
    if (old(detail)) tell("old");
    else if (!target.closest("[data-offline]")) tell("lost");
  });
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
  keepFocus(unanswered.closest("dialog")?.querySelector("button") ?? document.getElementById("main"));
});

// Closing a dialog closes what was said in it; the event does not bubble.
document.addEventListener("close", ({ target }) => target.contains(unanswered) && (unanswered.hidden = true), { capture: true });

document.addEventListener("submit", ({ target }) => target.matches("[data-signs-out]") && forgetDrafts());

// It shows a page of ours instead of the browser's while the studio can't be reached.
if (worker && "serviceWorker" in navigator) {
  window.addEventListener("load", () => navigator.serviceWorker.register(worker).catch(() => {}));
}
