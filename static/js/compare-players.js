// Two players in step: one transport, one of them is heard.

import "./again.js";
import { clock, word } from "./words.js";

const STEP = 5;
const NOTICED = 0.04;
const LOST = 0.4;
const NUDGE = 0.05;
const CHECK = 200;

export function playTogether(page) {
  const holder = page.querySelector("[data-players]");
  const trouble = page.querySelector("[data-trouble]");
  const [a, b] = holder.querySelectorAll("video, audio");
  const both = [a, b];
  const transport = holder.querySelector(".player");
  const toggle = transport.querySelector(".player-toggle");
  const seek = transport.querySelector(".player-seek");
  const time = transport.querySelector(".player-time");
  const speed = transport.querySelector("[data-speed]");
  const sounds = [...transport.querySelectorAll("[data-sound]")];
  const waiting = new Set();
  let playing = false;

  const length = () => Math.max(0, ...both.map(({ duration }) => (Number.isFinite(duration) ? duration : 0)));
  /** The longer one tells the time: the shorter stops at its end. */
  const leader = () => ((b.duration || 0) > (a.duration || 0) ? b : a);
  const over = (media) => media.ended || media.currentTime >= media.duration;

  function show() {
    const [at, end] = [leader().currentTime, length()];
    seek.max = end || 1;
    seek.value = at;
    seek.style.setProperty("--at", `${end ? (100 * at) / end : 0}%`);
    time.textContent = `${clock(at)} / ${clock(end)}`;
    seek.setAttribute("aria-valuetext", time.textContent);
    transport.toggleAttribute("data-playing", playing);
    toggle.setAttribute("aria-label", playing ? toggle.dataset.pause : toggle.dataset.play);
  }

  /** While one of them waits for data the other waits, too. */
  function move() {
    for (const media of both) {
      if (playing && !waiting.size && !over(media)) media.play().catch(() => {});
      else if (!waiting.has(media)) media.pause();
    }
    show();
  }

  function play(yes) {
    if (yes && over(leader())) go(0);
    playing = yes;
    move();
  }

  function go(to) {
    const at = Math.min(length(), Math.max(0, to));
    for (const media of both) media.currentTime = Math.min(at, media.duration || at);
    show();
  }

  function hear(side) {
    both.forEach((media, index) => (media.muted = "AB"[index] !== side));
    for (const button of sounds) button.setAttribute("aria-pressed", String(button.dataset.sound === side));
  }

  /** A little drift is made up for by speed, which nobody hears; more by a jump. */
  function keepStep() {
    const [first, second] = leader() === a ? [a, b] : [b, a];
    const rate = Number(speed.value);
    const drift = second.currentTime - first.currentTime;
    if (!playing || waiting.size || over(second) || Math.abs(drift) < NOTICED) second.playbackRate = rate;
    else if (Math.abs(drift) > LOST) second.currentTime = first.currentTime;
    else second.playbackRate = rate * (1 - Math.sign(drift) * NUDGE);
    holder.dataset.drift = drift.toFixed(3);
  }

  both.forEach((media, index) => {
    media.addEventListener("waiting", () => {
      waiting.add(media);
      if (playing) move();
    });
    for (const name of ["canplay", "playing", "seeked"]) {
      media.addEventListener(name, () => waiting.delete(media) && move());
    }
    for (const name of ["loadedmetadata", "durationchange", "timeupdate", "seeked"]) media.addEventListener(name, show);
    media.addEventListener("ended", () => over(leader()) && play(false));
    media.addEventListener("error", () => {
      waiting.delete(media);
      trouble.textContent = word("unplayable", { side: "AB"[index] });
      trouble.hidden = false;
    });
    media.addEventListener("click", () => play(!playing));
  });
  toggle.addEventListener("click", () => play(!playing));
  seek.addEventListener("input", () => go(Number(seek.value)));
  speed.addEventListener("change", () => both.forEach((media) => (media.playbackRate = Number(speed.value))));
  transport.addEventListener("click", ({ target }) => {
    const side = target.closest("[data-sound]")?.dataset.sound;
    if (side) hear(side);
  });

  const keys = {
    " ": () => play(!playing),
    k: () => play(!playing),
    ArrowLeft: () => go(leader().currentTime - STEP),
    ArrowRight: () => go(leader().currentTime + STEP),
    Home: () => go(0),
    a: () => hear("A"),
    b: () => hear("B"),
  };
  document.addEventListener("keydown", (event) => {
    const own = event.target.closest("select, input:not([type=range]), textarea, a, button");
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key] || (own && event.key === " ")) return;
    if (event.target.closest("select")) return;
    event.preventDefault();
    keys[event.key]();
  });
  setInterval(keepStep, CHECK);
  show();
}
