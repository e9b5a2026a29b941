// What can be done with a file: its menu, and its star.

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
  const answer = await fetch(star.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  // Who is not signed in any more is led elsewhere.
  if (!answer?.ok || answer.redirected) show(!wanted);
});
