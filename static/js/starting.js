// Starting points: their results play and leaf as in the gallery, whichever kind is shown.

import { whenOld } from "./age.js";
import { cards } from "./cards.js";

const wall = () => document.querySelector("[data-wall]");

if (wall()) cards(wall());
document.body.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target === wall()) cards(target);
});
const form = document.getElementById("blanks");
for (const name of ["htmx:responseError", "htmx:sendError"]) {
  form?.addEventListener(name, ({ target }) => {
    if (target !== form) return;
    const line = document.createElement("p");
    line.textContent = form.dataset.offline;
    document.getElementById("blanks-error").replaceChildren(line);
  });
}
// Nobody loses what they have filled in.
if (!form) whenOld(() => location.reload());
