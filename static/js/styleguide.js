// The specimens that pages make in the browser: the steps of a run, and cards that play.

import { cards } from "./cards.js";
import { composers } from "./composer.js";
import { prose } from "./prose.js";
import { Step } from "./steps.js";
import { made } from "./words.js";

const log = document.querySelector("[data-guide-log]");

function step(command, output, result) {
  const each = new Step({ tool: "execute_bash", arguments: { command } });
  each.print(output);
  if (result) each.finish({ output, failed: false, seconds: 0, ...result });
  log.append(each.element);
  return each;
}

const spoken = made("spoke");
prose(spoken, log.dataset.says);
log.append(spoken);
step("python map.py --days 3", "\u001b[32mok\u001b[0m  5 places\nmap.html written\n", { exit_code: 0, seconds: 2.4 }).details.open = true;
step("ls output/map.pdf", "ls: cannot access 'output/map.pdf'\n", { exit_code: 2 });
step("ffmpeg -i frames/%03d.png map.mp4", "frame= 120 fps= 24\n");

cards(document.querySelector(".gallery"));
composers();
