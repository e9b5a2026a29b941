// How somebody who doesn't look is told that a run is done: a sound, a notification, an e-mail.

import { post } from "./offline.js";

function bytes(base64) {
  return Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/** Three soft notes, upwards; two downwards for what asks or went wrong. */
function chime(good) {
  // Browsers keep silent on pages that nobody has touched, and complain.
  if (!navigator.userActivation?.hasBeenActive) return;
  const context = new AudioContext();
  const notes = good ? [523.25, 659.25, 783.99] : [587.33, 440];
  notes.forEach((frequency, index) => {
    const begin = context.currentTime + 0.02 + 0.14 * index;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.12, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.9);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + 1);
    if (index === notes.length - 1) tone.addEventListener("ended", () => context.close());
  });
}

export class Notices {
  constructor(element) {
    this.words = element.dataset;
    this.sound = element.querySelector("[data-sound]");
    this.notify = element.querySelector("[data-show]");
    this.refused = element.querySelector("[data-refused]");
    const letter = element.querySelector("[data-letter]");
    this.sound.checked = localStorage.getItem("sound") === "yes";
    this.notify.checked = localStorage.getItem("notify") === "yes" && this.allowed;
    this.sound.addEventListener("change", () => {
      localStorage.setItem("sound", this.sound.checked ? "yes" : "no");
      if (this.sound.checked) chime(true);
    });
    this.notify.addEventListener("change", () => (this.notify.checked ? this.begin() : this.end()));
    letter?.addEventListener("change", async () => {
      const answer = await post(this.words.letters, new URLSearchParams({ wanted: letter.checked ? "1" : "0" }));
      if (answer === null) letter.checked = !letter.checked;
    });
  }

  get allowed() {
    return "Notification" in window && Notification.permission === "granted";
  }

  async begin() {
    const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
    this.refused.hidden = answer === "granted";
    this.notify.checked = answer === "granted";
    if (answer !== "granted") return;
    localStorage.setItem("notify", "yes");
    await this.subscribe().catch(() => {}); // Then only open pages tell.
  }

  /** Also while no page is open, where the browser has a service for that. */
  async subscribe() {
    await navigator.serviceWorker.register(this.words.worker);
    // No browser takes a subscription for a worker that is not active yet.
    const worker = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(this.words.key) };
    const subscription = await worker.pushManager.subscribe(options);
    await post(this.words.subscribe, JSON.stringify(subscription));
  }

  async end() {
    localStorage.setItem("notify", "no");
    const worker = await navigator.serviceWorker?.getRegistration();
    const subscription = await worker?.pushManager.getSubscription();
    if (!subscription) return;
    await post(this.words.unsubscribe, new URLSearchParams({ endpoint: subscription.endpoint }));
    await subscription.unsubscribe();
  }

  /** A run has ended for this reason, or asks. */
  async tell(reason, body) {
    if (reason === "stopped") return;
    const good = reason === "submitted";
    if (this.sound.checked) chime(good);
    if (!document.hidden || !this.notify.checked || !this.allowed) return;
    const title = good ? this.words.done : reason === "paused" ? this.words.asks : this.words.early;
    const worker = await navigator.serviceWorker?.getRegistration();
    const subscribed = await worker?.pushManager?.getSubscription();
    if (subscribed) return; // It comes from there.
    // Where there is a worker only it may show some.
    if (worker) worker.showNotification(title, { body, data: { url: location.pathname } });
    else new Notification(title, { body }).addEventListener("click", () => window.focus());
  }
}
