// What every page has: the choice of light or dark, dialogs, and keys of links.

const root = document.documentElement;
const year = 365 * 24 * 3600;

function showTheme() {
  const chosen = root.dataset.theme ?? "auto";
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === chosen));
  }
}

function chooseTheme(choice) {
  if (choice === "auto") delete root.dataset.theme;
  else root.dataset.theme = choice;
  const age = choice === "auto" ? 0 : year;
  document.cookie = `theme=${choice}; path=/; max-age=${age}; samesite=lax`;
  showTheme();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { themeChoice, opens, closes } = button.dataset;
  if (themeChoice) chooseTheme(themeChoice);
  if (opens) {
    button.closest("[popover]")?.hidePopover();
    document.getElementById(opens).showModal();
  }
  if (closes !== undefined) button.closest("dialog").close();
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const ownKeys = "input, textarea, select, dialog";
  const ownArrows = `${ownKeys}, .table-scroll, .source, .canvas:not([data-fit])`;
  if (event.target.closest(event.key.startsWith("Arrow") ? ownArrows : ownKeys)) return;
  if (document.querySelector(":popover-open")) return;
  document.querySelector(`a[data-key~="${CSS.escape(event.key)}"]`)?.click();
});

showTheme();
