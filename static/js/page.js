// What every page has: the choice of light or dark, dialogs, toasts, and keys.

import { keepFocus } from "./focus.js";
import "./keys.js";
import "./offline.js";

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
  const { themeChoice, opens, closes, toastClose } = button.dataset;
  if (themeChoice) chooseTheme(themeChoice);
  if (opens) {
    button.closest("[popover]")?.hidePopover();
    document.getElementById(opens).showModal();
  }
  if (closes !== undefined) button.closest("dialog").close();
  if (toastClose === undefined) return;
  button.closest("[data-toast]").remove();
  keepFocus(document.getElementById("main"));
});

// Who reloads the page has been told already.
for (const { dataset } of document.querySelectorAll("[data-toast]:not([data-toast=''])")) {
  const address = new URL(location.href);
  address.searchParams.delete(dataset.toast);
  history.replaceState(history.state, "", address);
}

// The next page says its days and times as they are here.
// In a sandbox, where others may embed us, there is no cookie, and asking for one is an error.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (self.origin !== "null" && timeZone && !document.cookie.split("; ").includes(`zone=${timeZone}`)) {
  document.cookie = `zone=${timeZone}; path=/; max-age=${year}; samesite=lax`;
}

showTheme();
