// The menu of what can be done with a file.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
    button.querySelector("[data-label]").textContent = button.dataset.copied;
  });
}
