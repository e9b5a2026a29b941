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

/** `2.1 MB` */
export function bytes(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, count)) / Math.log(1000)));
  const style = { style: "unit", unit: units[power], unitDisplay: power ? "short" : "long", maximumFractionDigits: power ? 1 : 0 };
  return new Intl.NumberFormat(document.documentElement.lang, style).format(count / 1000 ** power);
}
