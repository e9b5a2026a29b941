// On a phone a page shows its conversation or its files: the buttons that choose.

export function panes(page) {
  const buttons = [...page.querySelectorAll("[data-show-pane]")];
  const show = (pane) => {
    page.dataset.pane = pane;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.showPane === pane));
  };
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.showPane));
  // Whoever comes back from a file is among the files again.
  if (location.hash === "#files") show("files");
}
