// The question of a paused run, and the ways to answer it.

export class Pause {
  /** `answered` is called when an answer got through; what follows from it comes as news. */
  constructor(element, answered) {
    this.element = element;
    this.error = element.querySelector(".form-error");
    for (const form of element.querySelectorAll("form")) {
      form.addEventListener("htmx:beforeRequest", () => this.error.replaceChildren());
      form.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && answered());
      for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
        form.addEventListener(name, () => this.complain());
      }
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

  complain() {
    const line = document.createElement("p");
    line.textContent = this.element.dataset.offline;
    this.error.replaceChildren(line);
  }
}
