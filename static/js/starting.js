// Starting points: their results play and leaf as in the gallery, whichever kind is shown.

import { whenOld } from "./age.js";
import { cards } from "./cards.js";
import { complains } from "./offline.js";

const wall = () => document.querySelector("[data-wall]");

if (wall()) cards(wall());
document.body.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target === wall()) cards(target);
});
const form = document.getElementById("blanks");
if (form) complains(form, document.getElementById("blanks-error"), form.dataset.offline);
// Nobody loses what they have filled in.
if (!form) whenOld(() => location.reload());
