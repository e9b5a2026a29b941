import { composers } from "./composer.js";

const [composer] = composers();

for (const tile of document.querySelectorAll("[data-example]")) {
  tile.addEventListener("click", () => composer.write(tile.dataset.example));
}
