// The field that takes a request: it grows, takes files, sends with Ctrl or Cmd and Enter.

import { Draft } from "./drafts.js";
import { Dropzone } from "./dropzone.js";
import { complain, complains } from "./offline.js";
import { fill } from "./words.js";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

class Composer {
  constructor(form) {
    this.form = form;
    this.text = form.querySelector("textarea");
    this.draft = new Draft(this.text);
    this.error = form.querySelector(".form-error");
    this.progress = form.querySelector("progress");
    this.dropzone = new Dropzone(form, document.body, (text) => complain(this.error, text));
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
    complains(form, this.error, form.dataset.offline);
    form.addEventListener("htmx:xhr:progress", (event) => this.uploaded(event.detail));
    form.addEventListener("htmx:afterRequest", (event) => {
      this.progress.hidden = true;
      this.draft.sent(event.detail);
      if (event.detail.failed && !this.error.childElementCount) this.text.focus();
    });
    this.grow();
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
}

export function composers() {
  return [...document.querySelectorAll("form[data-composer]")].map((form) => new Composer(form));
}
