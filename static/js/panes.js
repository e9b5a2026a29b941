// On a phone a page shows its conversation or its files: the buttons that choose.

export function panes(page) {
  const buttons = [...page.querySelectorAll("[data-show-pane]")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      page.dataset.pane = button.dataset.showPane;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    });
  }
}
