"""Events as a person reads them in a terminal."""

from __future__ import annotations

import math
import re

from rich.console import Console
from rich.control import Control
from rich.markup import escape
from rich.padding import Padding
from rich.segment import ControlType
from rich.text import Text

from agent.events import (
    ArtifactRemoved,
    ArtifactSaved,
    ArtifactSkipped,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunStarted,
    SandboxReady,
    Shown,
    ToolFinished,
    ToolPrinted,
    ToolStarted,
    UserSteered,
)
from agent.hints import Rendering, Waiting

COMMAND_LINES, OUTPUT_LINES = 6, 12
CLEAR_LINE = Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2))
WAITS = {"busy": "busy", "error": "an error", "connection": "no connection"}


# Sequences for a terminal, and control characters but the end of a line and a tab.
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)|[\0-\x08\x0b-\x1f\x7f-\x9f]"
)


class Progress:
    """Prints a run as it goes; of long output the first lines."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._lines = 0
        self._tool = ""
        self._wait_left = -1.0
        self._unfinished = False

    def show(self, item: Shown) -> None:
        """Print what an event means, waits and progress; what is typed is for live pages."""
        say = self._console.print
        if isinstance(item, Waiting):
            self._wait(item)
            return
        if isinstance(item, Rendering):
            self._render(item)
            return
        self._go_on()
        match item:
            case RunStarted(model=model):
                say(f"[dim]Model: {escape(model)}[/]")
            case SandboxReady(image=image, seconds=seconds):
                say(f"[dim]Sandbox ready in {seconds:.1f} s ({escape(image)})[/]")
            case ModelSpoke(text=text) if text.strip():
                say()
                say(_text(text.strip()))
            case UserSteered(text=text):
                say(_text(f"You: {text}", style="bold"))
            case ToolStarted():
                self._begin(item)
            case ToolPrinted(text=text):
                self._print(text)
            case ToolFinished():
                self._end(item)
            case ArtifactSaved(path=path, size=size):
                say(f"[green]✓[/] {escape(path)} [dim]{_size(size)}[/]")
            case ArtifactSkipped(path=path, why=why):
                say(f"[yellow]– {escape(path)}: {escape(why)}[/]")
            case ArtifactRemoved(path=path):
                say(f"[dim]– {escape(path)} was removed[/]")
            case RunEnded():
                self._close(item)
            case RunPaused():
                self._pause(item)
            case _:
                return

    def _wait(self, item: Waiting) -> None:
        """One line, counting down where it can be written over, and written once where not."""
        live, begins = self._console.is_terminal, item.seconds > self._wait_left
        self._wait_left = item.seconds
        if not live and not begins:
            return
        line = f"Waiting for the model: {WAITS[item.why]}, again in {math.ceil(item.seconds)} s"
        if live:
            self._console.control(CLEAR_LINE)
        self._console.print(_text(line, style="yellow"), end="" if live else "\n")

    def _render(self, item: Rendering) -> None:
        """How far the command has come, on a line that is written over."""
        if self._console.is_terminal:
            share = "" if item.fraction is None else f"{item.fraction:.0%} "
            self._console.control(CLEAR_LINE)
            self._console.print(_text(f"  {share}{item.note}", style="magenta"), end="")
            self._unfinished = True

    def _go_on(self) -> None:
        if self._unfinished or (self._wait_left >= 0 and self._console.is_terminal):
            self._console.control(CLEAR_LINE)
        self._wait_left, self._unfinished = -1.0, False

    def _begin(self, event: ToolStarted) -> None:
        self._lines, self._tool = 0, event.tool
        match event.arguments:
            case {"command": str() as command} if event.tool == "execute_bash":
                lines = command.strip().splitlines() or [""]
                more = len(lines) - COMMAND_LINES
                shown = [*lines[:COMMAND_LINES], *([f"… {more} more lines"] if more > 0 else [])]
                self._console.print(_text("$ " + "\n  ".join(shown), style="cyan"))
            case {"command": str() as command, "path": str() as path}:
                self._console.print(_text(f"{command} {path}", style="cyan"))

    def _print(self, text: str) -> None:
        lines = text.replace("\r", "\n").splitlines()
        shown = lines[: max(0, OUTPUT_LINES - self._lines)]
        self._lines += len(lines)
        if shown:
            self._console.print(Padding(_text("\n".join(shown), style="dim"), (0, 0, 0, 2)))

    def _end(self, event: ToolFinished) -> None:
        if self._lines > OUTPUT_LINES:
            self._console.print(f"  [dim]… {self._lines - OUTPUT_LINES} more lines[/]")
        if event.failed:
            told = event.output.strip().splitlines()[-1:] or ["failed"]
            self._console.print(_text(f"  ✗ {told[0]}", style="red"))

    def _close(self, event: RunEnded) -> None:
        self._console.print()
        if event.summary:
            self._console.print(_text(event.summary))
        if event.reason is not Reason.SUBMITTED:
            self._console.print(_text(f"Ended: {event.message}", style="bold red"))
        self._account(event)

    def _pause(self, event: RunPaused) -> None:
        self._console.print()
        self._console.print(_text(f"Paused: {event.message}", style="bold yellow"))
        self._account(event)

    def _account(self, event: RunEnded | RunPaused) -> None:
        """What it took so far."""
        usage, used = event.usage, event.resources
        facts = [f"{event.seconds:.0f} s", f"{event.turns} turns"]
        if usage.tokens:
            cached = f" ({usage.cached:,} cached)" if usage.cached else ""
            facts.append(f"{usage.tokens:,} tokens{cached}")
        if usage.cost:
            facts.append(f"cost {usage.cost:.4f}")
        if used.cpu_seconds:
            facts.append(f"CPU {used.cpu_seconds:.1f} s")
            facts.append(f"memory up to {_size(used.peak_memory)}")
        self._console.print(f"[dim]{', '.join(facts)}[/]")


def _text(said: str, style: str = "") -> Text:
    """What a stranger said, without what would move the cursor or write elsewhere."""
    return Text(ESCAPES.sub("", said), style=style)


def _size(count: int) -> str:
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count} bytes"
