// The star of a file on its own page.

import { post } from "./offline.js";

const star = document.querySelector("form[data-star]");
star.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  const show = (on) => {
    button.setAttribute("aria-pressed", String(on));
    button.value = on ? "" : "1";
  };
  const wanted = Boolean(button.value);
  const body = new FormData(star, button);
  show(wanted);
  if ((await post(star.action, body)) === null) show(!wanted);
});
