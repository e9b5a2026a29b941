// What can be done with a file: its menu, and its star.

import { post } from "./offline.js";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
    button.querySelector("[data-label]").textContent = button.dataset.copied;
  });
}

const star = document.querySelector("form[data-star]");
star?.addEventListener("submit", async (event) => {
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
