// Texts and pieces of the page that the server rendered in the user's language.

const words = new Map(
  [...document.querySelectorAll("[data-word]")].map((element) => [element.dataset.word, element.textContent.trim()]),
);

/** The text called `name` with its {placeholders} filled in. */
export function word(name, values = {}) {
  return fill(words.get(name) ?? "", values);
}

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** A fresh copy of the page's template called `name`. */
export function made(name) {
  return document.querySelector(`template[data-template="${name}"]`).content.firstElementChild.cloneNode(true);
}

export function number(value) {
  const compact = value >= 10_000 ? { notation: "compact", maximumFractionDigits: 1 } : {};
  return new Intl.NumberFormat(document.documentElement.lang, compact).format(value);
}

export function percent(fraction) {
  return new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(fraction);
}

export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** As the server writes sizes: in steps of 1024, one digit after the point. */
export function size(bytes) {
  const { lang } = document.documentElement;
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 3);
  if (!power) return new Intl.NumberFormat(lang, { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${new Intl.NumberFormat(lang, digits).format(bytes / 1024 ** power)}\u00a0${" KMG"[power]}B`;
}
