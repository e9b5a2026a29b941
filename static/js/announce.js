// What happens, in words for people who hear the page: each thing once, one after the other.

const LENGTH = 200;
const KEPT = 20;

/** Adds a line to a live region with the role of a log. */
export function announce(log, text) {
  const line = document.createElement("p");
  line.textContent = text.slice(0, LENGTH);
  log.append(line);
  while (log.childElementCount > KEPT) log.firstElementChild.remove();
}
