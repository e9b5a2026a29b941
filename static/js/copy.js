// Buttons that copy an address, or what stands beside them; what may only be read is selected as a whole.

const SHOWN = 2000;
const READ_ONLY = "input[readonly], textarea[readonly]";

async function copy(button) {
  const { copy: address, copied } = button.dataset;
  const beside = button.parentElement.querySelector("input, textarea, code");
  const text = address ? new URL(address, location.href).href : (beside.value ?? beside.textContent);
  if (!address) beside.select?.();
  // Without https browsers let no page copy; what is selected takes one key.
  await navigator.clipboard.writeText(text);
  const label = button.querySelector("[data-label]");
  label.dataset.label ||= label.textContent;
  label.textContent = copied;
  setTimeout(() => (label.textContent = label.dataset.label), SHOWN);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-copy]");
  if (button) copy(button).catch((error) => console.info(error));
});
for (const name of ["click", "focusin"]) {
  document.addEventListener(name, ({ target }) => target.matches(READ_ONLY) && target.select());
}
