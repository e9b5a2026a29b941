// The link that was made just now: one press copies it, and a click selects all of it.

document.addEventListener("click", async ({ target }) => {
  if (target.matches("[data-select]")) target.select();
  const button = target.closest(".new-link [data-copy]");
  if (!button) return;
  const label = button.querySelector("[data-label]");
  const copied = await navigator.clipboard?.writeText(button.dataset.copy).then(
    () => true,
    () => false,
  );
  if (copied) label.textContent = button.dataset.copied;
  else button.closest(".new-link").querySelector("[data-select]").select();
});
