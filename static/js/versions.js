// What is said after a version was brought back, and the menu of what can be done with a file.

const toast = document.querySelector("[data-toast]");
if (toast) {
  // Who reloads the page has been told already.
  const address = new URL(location.href);
  address.searchParams.delete("back");
  history.replaceState(null, "", address);
  toast.querySelector("[data-toast-close]").addEventListener("click", () => toast.remove());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
    button.querySelector("[data-label]").textContent = button.dataset.copied;
  });
}
