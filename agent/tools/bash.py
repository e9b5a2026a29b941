"""`execute_bash`: one persistent shell."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Annotated

from pydantic import Field

from agent.limits import Limits
from agent.sandbox import Exited, Printed, Sandbox
from agent.sandbox.confinement import Confinement
from agent.tools import Outcome, Result, Tool, shortened

BACKGROUND_CHARS = 2_000
OVERWRITTEN = re.compile(r"^[^\n]*\r(?!\n)", re.MULTILINE)  # Looked for once a line.


def bash_tool(
    sandbox: Sandbox, limits: Limits, seconds_left: Callable[[], float], *, sees: bool = False
) -> Tool:
    """The tool, working in `sandbox` for no longer than the run has left."""

    def execute_bash(
        command: Annotated[str, Field(description="What to run; several lines are fine.")],
        timeout: Annotated[
            float, Field(gt=0, description="Seconds after which it is ended, at most the limit.")
        ] = limits.command_seconds,
    ) -> Outcome:
        """Run a command in the one bash of this computer.

        The shell stays: its working directory, variables, functions and background jobs are there
        in your next call. Standard input is empty. stdout and stderr come back together; of long
        output only the beginning and the end, with the name of a file that has more of it. Only the
        last command's exit code is reported: start with `set -o pipefail` and join steps with `&&`
        so that an early failure shows.
        After the timeout everything the command started is ended; what it printed is kept. For
        something long, run it in the background with its output in a file and look at that.
        """
        allowed = max(1.0, min(timeout, limits.command_seconds * 4, seconds_left()))
        own = _Text(limits.output_chars * 4, limits.output_chars // 8)
        background = _Text(BACKGROUND_CHARS, BACKGROUND_CHARS)
        for item in sandbox.run(command, allowed):
            match item:
                case Printed(data, background=True):
                    if text := background.add(data):
                        yield f"[background] {text}"
                case Printed(data):
                    if text := own.add(data):
                        yield text
                case Exited() as end:
                    said = _background(background.text()) + _own(own, end, limits)
                    lines = [line for line in [*said, *_remarks(end, allowed, sandbox)] if line]
                    text = "\n".join(lines) or "[no output]"
                    yield Result(text, failed=end.code != 0, exit_code=end.code)
                case None:
                    yield None

    return Tool(execute_bash)


class _Text:
    """The beginning and the end of a text of any length, in bounded memory.

    Of a line that is cut as much as `cut` characters stay on either side.
    """

    def __init__(self, limit: int, cut: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._limit, self._cut = limit, cut
        self._head, self._tail, self.lost = "", "", 0

    def add(self, data: bytes) -> str:
        """Take in some bytes; what they say."""
        text = self._decoder.decode(data)
        room = self._limit - len(self._head)
        self._head += text[:room]
        if rest := text[room:]:
            tail = self._tail + rest
            self._tail = tail[-self._limit :]
            self.lost += len(tail) - len(self._tail)
        return text

    def text(self) -> str:
        head, tail = self._head, self._tail
        if self.lost:
            head = head[: head.rfind("\n") + 1 + self._cut]
            tail = tail[max(0, len(tail.partition("\n")[0]) - self._cut) :]
            lost = self.lost + len(self._head) - len(head) + len(self._tail) - len(tail)
            head += f"\n[… {lost} characters left out …]\n"
        return OVERWRITTEN.sub("", head + tail).rstrip("\n")


def _background(printed: str) -> list[str]:
    """What jobs of earlier commands printed, set apart."""
    if not printed:
        return []
    lines = printed.splitlines()
    return ["[printed by background jobs of earlier commands:]", *lines, "[end of that]"]


def _own(own: _Text, end: Exited, limits: Limits) -> list[str]:
    printed = own.text()
    shown = shortened(printed, limits.output_chars, limits.output_lines)
    where = f"[more of the output is in {end.log}: search it with grep or sed]"
    return [shown, where if end.log and (own.lost or shown != printed) else ""]


def _remarks(end: Exited, allowed: float, sandbox: Sandbox) -> Iterator[str]:
    """What there is to say about how a command ended."""
    if end.timed_out:
        yield f"[ended after {allowed:.0f} s: the command took too long]"
    if end.shell_restarted:
        yield (
            "[the shell itself ended and was started again in the same folder: "
            "its variables, functions and jobs are gone]"
        )
    for limit in end.reached:
        yield f"[{_explained(limit, sandbox.confinement)}]"
    if end.code and not end.timed_out:
        yield f"[exit code {end.code}{_meaning(end.code)}]"


def _explained(limit: str, confinement: Confinement) -> str:
    match limit:
        case "memory":
            return (
                "out of memory: a process was killed. All processes and the files in /workspace "
                f"and /tmp share {confinement.memory >> 20} MB: work on less at once"
            )
        case "processes":
            return (
                f"process limit: no more than {confinement.processes} processes and threads can "
                "run at once. All that still ran but the shell was ended: start fewer"
            )
        case folder:
            return f"disk full: nothing more fits into {folder}. Delete what is not needed"


def _meaning(code: int) -> str:
    return {
        126: ": not executable",
        127: ": command not found",
        130: ": interrupted",
        134: ": aborted",
        137: ": killed",
        139: ": segmentation fault",
        153: ": a file grew larger than the disk",
    }.get(code, "")
