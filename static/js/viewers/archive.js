// What is in a zip, from the list at its end; nothing is unpacked.

import { readBytes } from "../text.js";
import { fill, number, size } from "../words.js";
import { part } from "./parts.js";
import { Trouble } from "./trouble.js";

const LARGEST = 50_000_000;
const SHOWN = 1000;
const [END, ENTRY] = [0x06054b50, 0x02014b50];
const UTF8 = 1 << 11;

export async function show(viewer) {
  const { bytes, cut } = await readBytes(viewer.dataset.url, LARGEST);
  if (cut) throw new Trouble("too-large");
  const members = [...listed(bytes)];
  const [list, facts] = [part(viewer, "members"), part(viewer, "facts")];
  facts.textContent = fill(facts.dataset.files, { count: number(members.length) });
  for (const { name, length } of members.slice(0, SHOWN)) {
    const line = document.createElement("li");
    const words = document.createElement("span");
    const weight = document.createElement("span");
    words.textContent = name;
    weight.textContent = size(length);
    weight.className = "faint numeric";
    line.append(words, weight);
    list.append(line);
  }
  if (members.length > SHOWN) list.append("…");
}

/** The files (not the folders) of a zip. Throws on what is none. */
function* listed(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new Error("This is not a zip");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  for (let member = 0; member < count && view.getUint32(at, true) === ENTRY; member += 1) {
    const encoding = view.getUint16(at + 8, true) & UTF8 ? "utf-8" : "ibm866";
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const words = new TextDecoder(encoding).decode(bytes.subarray(at + 46, at + 46 + name));
    if (!words.endsWith("/")) yield { name: words, length: view.getUint32(at + 24, true) };
    at += 46 + name + extra + comment;
  }
}
