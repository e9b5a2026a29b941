// The question of a paused run, and the ways to answer it.

import { complains } from "./offline.js";

export class Pause {
  /** `answered` is called when an answer got through; what follows from it comes as news. */
  constructor(element, answered) {
    this.element = element;
    for (const form of element.querySelectorAll("form")) {
      complains(form, element.querySelector(".form-error"), element.dataset.offline);
      form.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && answered());
    }
  }

  /** `asked` as the feed tells it; null when there is nothing to ask. */
  show(asked) {
    this.element.hidden = !asked;
    if (!asked) return;
    for (const name of ["question", "allowance"]) {
      this.element.querySelector(`[data-${name}]`).textContent = asked[name];
    }
  }
}
