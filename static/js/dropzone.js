// Files chosen or dropped, kept in the form's own file input so that they are sent like any others.

import { size } from "./words.js";

const LARGEST = 200 * 2 ** 20;
const MOST = 20;
const WORDS = ["text/plain", "text/html"];

export class Dropzone {
  /** `area` is where files may be dropped, `complain(text)` shows what was refused. */
  constructor(form, area, complain) {
    this.form = form;
    this.input = form.querySelector("input[type=file]");
    this.list = form.querySelector("[data-files]");
    this.chip = form.querySelector("template[data-chip]");
    this.complain = complain;
    this.files = [];
    this.input.addEventListener("change", () => this.add([...this.input.files]));
    form.addEventListener("paste", ({ clipboardData: pasted }) => {
      // Programs for tables and texts add a picture of the words.
      const words = WORDS.every((type) => pasted.types.includes(type));
      if (!words) this.add([...pasted.files]);
    });
    this.listen(area);
    this.add([...this.input.files]);
  }

  listen(area) {
    let depth = 0;
    const bringsFiles = (event) => event.dataTransfer?.types.includes("Files");
    const mark = (step) => {
      depth = Math.max(0, depth + step);
      this.form.classList.toggle("dropping", depth > 0);
    };
    area.addEventListener("dragenter", (event) => bringsFiles(event) && mark(1));
    area.addEventListener("dragleave", (event) => bringsFiles(event) && mark(-1));
    area.addEventListener("dragover", (event) => bringsFiles(event) && event.preventDefault());
    area.addEventListener("drop", (event) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      mark(-depth);
      this.add([...event.dataTransfer.files]);
    });
  }

  add(files) {
    const words = this.form.dataset;
    for (const file of files) {
      const known = this.files.some(
        (other) => other.name === file.name && other.size === file.size && other.lastModified === file.lastModified,
      );
      if (file.size > LARGEST) this.complain(words.tooLarge.replace("{name}", file.name));
      else if (this.files.length >= MOST && !known) this.complain(words.tooMany);
      else if (!known) this.files.push(file);
    }
    this.show();
  }

  remove(file) {
    this.files = this.files.filter((other) => other !== file);
    this.show();
    this.input.focus();
  }

  show() {
    const transfer = new DataTransfer();
    for (const file of this.files) transfer.items.add(file);
    this.input.files = transfer.files;
    this.list.replaceChildren(...this.files.map((file) => this.row(file)));
    this.list.hidden = !this.files.length;
  }

  row(file) {
    const row = this.chip.content.firstElementChild.cloneNode(true);
    row.querySelector(".chip-name").textContent = file.name;
    row.querySelector(".chip-size").textContent = size(file.size);
    const button = row.querySelector("button");
    button.setAttribute("aria-label", this.form.dataset.removed.replace("{name}", file.name));
    button.addEventListener("click", () => this.remove(file));
    return row;
  }
}
