// A page that somebody opened with a link: it goes when the link is closed, and says what is new.

import { whileOpen } from "./open.js";

const page = document.querySelector("[data-shared]");
const news = document.querySelector("[data-news]");

news.querySelector("button").addEventListener("click", () => location.reload());
whileOpen(page.dataset.socket, ({ stamp }) => (news.hidden = stamp === page.dataset.stamp));
