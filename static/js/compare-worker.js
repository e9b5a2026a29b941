// Finds which lines and words differ, away from the page, which stays usable meanwhile.

import { diffArrays } from "../diff/diff/array.js";
import { diffWordsWithSpace } from "../diff/diff/word.js";

const LINES_MS = 6000;
const WORDS_MS = 200;
const LONGEST = 2000;
const AROUND = 3;
const FOLDED_AT_LEAST = 4;

/** Rows `[sign, line in A, line in B, pieces]`; a piece is `[text, marked]`. */
function rows(a, b) {
  const parts = diffArrays(a, b, { timeout: LINES_MS });
  const found = parts ?? [
    { removed: true, value: a },
    { added: true, value: b },
  ];
  const out = [];
  let [inA, inB] = [0, 0];
  found.forEach((part, index) => {
    if (part.added && found[index - 1]?.removed) return;
    if (part.removed) {
      const added = found[index + 1]?.added ? found[index + 1].value : [];
      const [left, right] = marked(part.value, added);
      for (const pieces of left) out.push(["-", (inA += 1), 0, pieces]);
      for (const pieces of right) out.push(["+", 0, (inB += 1), pieces]);
    } else if (part.added) {
      for (const line of part.value) out.push(["+", 0, (inB += 1), [[line, false]]]);
    } else {
      for (const line of part.value) out.push(["=", (inA += 1), (inB += 1), [[line, false]]]);
    }
  });
  return { rows: out, different: !parts };
}

/** Lines that stand for each other, with the words that differ between them marked. */
function marked(removed, added) {
  const [left, right] = [[], []];
  const pairs = Math.min(removed.length, added.length);
  for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
    const words = i < pairs && i < LONGEST ? differing(removed[i], added[i]) : null;
    if (i < removed.length) left.push(words?.[0] ?? [[removed[i], false]]);
    if (i < added.length) right.push(words?.[1] ?? [[added[i], false]]);
  }
  return [left, right];
}

function differing(before, after) {
  if (before.length > LONGEST || after.length > LONGEST) return null;
  const parts = diffWordsWithSpace(before, after, { timeout: WORDS_MS });
  if (!parts?.some((part) => !part.added && !part.removed && part.value.trim())) return null;
  const side = (gone) => parts.filter((part) => !part[gone]).map((part) => [part.value, part.added || part.removed]);
  return [side("added"), side("removed")];
}

/** Stretches of rows; `folded` ones are the same in both and far from any change. */
function stretches(all) {
  const near = new Uint8Array(all.length);
  all.forEach(([sign], index) => {
    if (sign !== "=") near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  const out = [];
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && near[to] === near[from]) to += 1;
    out.push({ folded: !near[from] && to - from >= FOLDED_AT_LEAST, rows: all.slice(from, to) });
    from = to;
  }
  return out;
}

const lines = (text) => (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");

/** What came on one long line is easier to compare as people write it. */
function spread(texts) {
  if (!texts.some((text) => text.length > LONGEST && !text.slice(0, LONGEST).includes("\n"))) return texts;
  try {
    return texts.map((text) => JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return texts;
  }
}

self.addEventListener("message", ({ data: { texts, json } }) => {
  const [a, b] = json ? spread(texts) : texts;
  const found = rows(lines(a), lines(b));
  const count = (sign) => found.rows.filter((row) => row[0] === sign).length;
  self.postMessage({
    stretches: stretches(found.rows),
    different: found.different,
    added: count("+"),
    removed: count("-"),
    ending: a !== b && !count("+") && !count("-"),
  });
});
