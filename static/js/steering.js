// What the user says while a run goes on: it waits in the conversation until the model is told.

import { Draft } from "./drafts.js";
import { complains, post } from "./offline.js";
import { made } from "./words.js";

/** The words of a run that wait; when it has ended they may be asked for anew. */
export class Waiting {
  /** `ask` is called with what came too late, when the user wants it now. */
  constructor(element, ask) {
    this.element = element;
    this.list = element.querySelector("ul");
    this.gone = new Set();
    element.addEventListener("click", ({ target }) => {
      const word = target.closest("[data-word-id]");
      if (target.closest("button[data-take-back]")) this.takeBack(word);
      if (target.closest("[data-ask-now]")) ask(this.texts().join("\n\n"));
    });
  }

  texts() {
    return [...this.list.querySelectorAll(".request-text")].map((element) => element.textContent);
  }

  /** `words` as the feed tells them. */
  show(words) {
    const left = words.filter(({ id }) => !this.gone.has(id));
    const shown = [...this.list.children].map(({ dataset }) => Number(dataset.wordId));
    if (left.map(({ id }) => id).join() !== shown.join()) this.list.replaceChildren(...left.map((word) => this.made(word)));
    this.element.hidden = !left.length;
  }

  made({ id, text }) {
    const item = made("word");
    item.dataset.wordId = id;
    item.querySelector(".request-text").textContent = text;
    return item;
  }

  async takeBack(item) {
    const { wordId } = item.dataset;
    const url = this.element.dataset.takeBack.replace("/0/", `/${wordId}/`);
    if ((await post(url)) === null) return;
    this.gone.add(Number(wordId));
    const held = item.contains(document.activeElement);
    item.remove();
    this.element.hidden = !this.list.children.length;
    if (held) document.getElementById("steer-text").focus();
  }
}

/** The field for it. */
export class Steering {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector("textarea");
    this.draft = new Draft(this.text);
    this.error = form.querySelector(".form-error");
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    complains(form, this.error, form.dataset.offline);
    form.addEventListener("htmx:beforeRequest", () => (this.sent = this.text.value));
    form.addEventListener("htmx:afterRequest", ({ detail }) => {
      // What was typed meanwhile is not sent yet.
      if (detail.xhr.status !== 204 || this.text.value !== this.sent) return;
      this.text.value = "";
      this.draft.forget();
    });
  }

  show(active) {
    this.form.hidden = !active;
  }

  /** What is typed and not sent: there is nobody any more to be told. */
  take() {
    const { value } = this.text;
    this.text.value = "";
    this.draft.forget();
    this.error.replaceChildren();
    return value.trim();
  }
}
