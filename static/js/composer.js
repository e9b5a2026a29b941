// The field that takes a request: it grows, takes files, sends with Ctrl or Cmd and Enter.

import { Draft } from "./drafts.js";
import { Dropzone } from "./dropzone.js";
import { fill } from "./words.js";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

class Composer {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector("textarea");
    this.draft = new Draft(this.text);
    this.error = form.querySelector(".form-error");
    this.progress = form.querySelector("progress");
    this.dropzone = new Dropzone(form, document.body, (text) => this.complain(text));
    this.base = form.querySelector("[data-base]");
    this.base?.querySelector("button").addEventListener("click", () => this.branch(null));
    if (apple) form.querySelector("[data-submit-key]").textContent = "⌘";
    this.text.addEventListener("input", () => this.grow());
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    form.addEventListener("htmx:beforeRequest", () => this.error.replaceChildren());
    form.addEventListener("htmx:xhr:progress", (event) => this.uploaded(event.detail));
    form.addEventListener("htmx:afterRequest", (event) => {
      this.progress.hidden = true;
      this.draft.sent(event.detail);
      if (event.detail.failed && !this.error.childElementCount) this.text.focus();
    });
    for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
      form.addEventListener(name, () => this.complain(form.dataset.offline));
    }
    this.grow();
  }

  write(text) {
    this.text.value = text;
    this.draft.keep();
    this.grow();
    this.text.focus();
    this.form.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  /** The request goes on from the one of this number; null for the last one. */
  branch(number) {
    const field = this.base.querySelector("input");
    field.value = number ?? "";
    field.disabled = !number;
    this.base.hidden = !number;
    const text = this.base.querySelector("[data-text]");
    text.textContent = number ? fill(text.dataset.text, { number }) : "";
    this.text.focus();
  }

  /** More to ask for, behind what is there already. */
  append(text) {
    this.text.value = [this.text.value.trim(), text].filter(Boolean).join("\n\n");
    this.draft.keep();
    this.grow();
  }

  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.text.style.height = "auto";
    this.text.style.height = `${this.text.scrollHeight}px`;
  }

  uploaded({ lengthComputable, loaded, total }) {
    if (!lengthComputable || !this.dropzone.files.length) return;
    this.progress.hidden = false;
    this.progress.value = loaded / total;
  }

  complain(text) {
    const line = document.createElement("p");
    line.textContent = text;
    this.error.replaceChildren(line);
  }
}

export function composers() {
  return [...document.querySelectorAll("form[data-composer]")].map((form) => new Composer(form));
}
