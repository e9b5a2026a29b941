// One call of a tool as a line that opens to the whole command and its output.

import { Output } from "./log.js";
import { made, word } from "./words.js";

const SHOWN = 64_000;
const EDITS = { create: "wrote", view: "looked", str_replace: "edited", insert: "edited", undo_edit: "undid" };

function title(tool, call) {
  if (tool === "execute_bash") return (call.command ?? "").trim().split("\n")[0].slice(0, 300);
  if (tool === "submit") return word("submit");
  const path = (call.path ?? "").replace(/^\/workspace\//, "");
  return EDITS[call.command] ? word(EDITS[call.command], { path }) : tool;
}

function body(tool, call) {
  if (tool === "execute_bash") return call.command ?? "";
  if (tool === "submit") return call.summary ?? "";
  if (call.command === "create") return call.file_text ?? "";
  if (call.command === "insert") return mark("+", call.new_str);
  if (call.command === "str_replace") return [mark("−", call.old_str), mark("+", call.new_str)].filter(Boolean).join("\n");
  return call.path ?? JSON.stringify(call, null, 2);
}

function mark(sign, text) {
  return text === undefined ? "" : text.split("\n").map((line) => `${sign} ${line}`).join("\n");
}

export class Step {
  /** `call` is the tool.started event's data; null stands for what runs in the background. */
  constructor(call) {
    this.element = made("step");
    this.details = this.element.querySelector("details");
    this.time = this.element.querySelector(".step-time");
    this.tail = this.element.querySelector(".step-tail");
    this.title = call ? title(call.tool, call.arguments) : word("background");
    const command = call ? body(call.tool, call.arguments) : "";
    this.element.dataset.tool = call?.tool ?? "background";
    this.element.querySelector(".step-title").textContent = this.title;
    const shown = this.element.querySelector(".step-command");
    shown.textContent = command.length > SHOWN ? `${command.slice(0, SHOWN)}…` : command;
    shown.hidden = !command;
    this.output = new Output(this.element.querySelector(".step-output"), this.element.querySelector(".clipped"));
  }

  print(text) {
    this.output.write(text);
    this.tail.textContent = this.output.lastLine.slice(0, 200);
  }

  finish({ output, failed, exit_code: code, seconds }) {
    if (this.output.empty && output) this.output.write(output);
    const command = code !== null;
    const state = command ? (code === 0 ? "done" : "nonzero") : failed ? "failed" : "done";
    this.element.dataset.stepState = state;
    const facts = [];
    if (state === "nonzero") facts.push(word("exit", { code }));
    else if (state === "failed") facts.push(word("failed"));
    if (seconds >= 0.95) facts.push(word("seconds", { seconds: seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds) }));
    this.time.textContent = facts.join(" · ");
    if (state === "failed" && !this.output.empty) this.details.open = true;
  }

  abandon() {
    if (this.element.dataset.stepState === "running") this.element.dataset.stepState = "done";
  }
}
