// A button that copies the text of the element whose id it names, and says so for a moment.

const SHOWN = 2000;

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const label = button.querySelector("span");
    const before = label.textContent;
    label.textContent = button.dataset.copied;
    setTimeout(() => { label.textContent = before; }, SHOWN);
  });
}
