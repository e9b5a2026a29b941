// What is typed and not sent yet stays over a reload, in this browser, until it is sent or its user signs out.

const PREFIX = "draft ";

export class Draft {
  /** Keeps the text of `field` on this page; what the server has written there goes first. */
  constructor(field) {
    this.field = field;
    this.key = `${PREFIX}${location.pathname} ${field.id}`;
    if (!field.value) field.value = localStorage.getItem(this.key) ?? "";
    field.addEventListener("input", () => this.keep());
  }

  keep() {
    const { value } = this.field;
    if (!value) return this.forget();
    try {
      localStorage.setItem(this.key, value);
    } catch {
      // The browser's room is full: then the text is only on the page.
    }
  }

  forget() {
    localStorage.removeItem(this.key);
  }

  /** After htmx has sent the form: only an answer of ours means that the text has arrived. */
  sent({ xhr }) {
    if (xhr.status === 204 || xhr.getResponseHeader("HX-Redirect")) this.forget();
  }
}

export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
