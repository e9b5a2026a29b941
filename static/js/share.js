// The dialog of a project's links: each can be copied, and what is new is marked to be copied.

async function copy(button) {
  const field = button.parentElement.querySelector("input, textarea");
  field.select();
  await navigator.clipboard.writeText(field.value);
  const label = button.querySelector("span");
  const before = label.textContent;
  label.textContent = button.dataset.done;
  setTimeout(() => (label.textContent = before), 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies]");
  if (button) copy(button);
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "share-body") target.querySelector("[data-new]")?.select();
});
