// Why a file can't be shown, and what to do about it.

import { word } from "../words.js";

const [HERE, GONE, UNREACHABLE] = ["here", "gone", "unreachable"];
const MENDED_BY_RELOADING = ["failed", "unloaded", UNREACHABLE];

/** What a viewer throws when it knows why: `reason` names one of the words of the page. */
export class Trouble extends Error {
  constructor(reason, options) {
    super(word(reason), options);
    this.reason = reason;
  }
}

/** Shows the page anew if only the links on it are too old, else says why there is nothing to see. */
export async function explain(viewer, error) {
  console.info(error);
  const found = await reach(viewer.dataset.url);
  if (found === GONE && (await renewable(viewer.dataset.url))) location.reload();
  else giveUp(viewer, found === HERE ? (error.reason ?? "failed") : found);
}

/** What is shown in a frame fails unseen: asks whether it is there at all. */
export async function check(viewer) {
  const found = await reach(viewer.dataset.url);
  if (found !== HERE) await explain(viewer, new Trouble(found));
}

/** In the viewer's place: what kind of file this is, why it is not shown, and what helps. */
export function giveUp(viewer, reason) {
  viewer.dataset.trouble = reason;
  for (const element of viewer.children) element.hidden = true;
  for (const media of viewer.querySelectorAll("video, audio")) media.pause();
  document.querySelector("[data-tools]").hidden = true;
  const plain = viewer.querySelector("[data-plain]");
  const [why, take, again] = ["why", "take", "anew"].map((name) => plain.querySelector(`[data-${name}]`));
  plain.hidden = false;
  why.textContent = word(reason);
  // Who may not download it has no such button.
  if (take) take.hidden = reason === GONE;
  again.hidden = !MENDED_BY_RELOADING.includes(reason);
  again.addEventListener("click", () => location.reload());
}

async function reach(url) {
  const found = await fetch(url, { method: "HEAD", credentials: "omit" }).catch(() => null);
  if (!found) return UNREACHABLE;
  return found.ok ? HERE : GONE;
}

/** Whether this page would come with another link that works, or asks to sign in again. */
async function renewable(old) {
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const url = page.querySelector("[data-viewer]")?.dataset.url;
  return !url || (url !== old && (await reach(url)) === HERE);
}
