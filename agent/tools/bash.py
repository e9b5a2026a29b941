"""`execute_bash`: one persistent shell."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from agent.limits import Limits
from agent.sandbox import Exited, Printed, Sandbox
from agent.tools import Outcome, Result, Tool, shortened

OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n)")


def bash_tool(sandbox: Sandbox, limits: Limits, seconds_left: Callable[[], float]) -> Tool:
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
        output only the beginning and the end. Only the last command's exit code is reported: start
        with `set -o pipefail` and join steps with `&&` so that an early failure shows.
        After the timeout everything the command started is ended; what it printed is kept. For
        something long, run it in the background with its output in a file and look at that.
        """
        allowed = max(1.0, min(timeout, limits.command_seconds * 4, seconds_left()))
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        kept = _Kept(limits.output_chars * 4)
        for item in sandbox.run(command, allowed):
            match item:
                case Printed(data):
                    if text := decoder.decode(data):
                        kept.add(text)
                        yield text
                case Exited() as end:
                    yield _result(kept.text(), end, allowed, limits)
                case None:
                    yield None

    return Tool(execute_bash)


class _Kept:
    """The beginning and the end of a text of any length, in bounded memory."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._head, self._tail, self._lost = "", "", 0

    def add(self, text: str) -> None:
        room = self._limit - len(self._head)
        self._head += text[:room]
        if rest := text[room:]:
            tail = self._tail + rest
            self._tail = tail[-self._limit :]
            self._lost += len(tail) - len(self._tail)

    def text(self) -> str:
        gap = f"\n[… {self._lost} characters left out …]\n" if self._lost else ""
        return f"{self._head}{gap}{self._tail}"


def _result(printed: str, end: Exited, allowed: float, limits: Limits) -> Result:
    lines = [shortened(OVERWRITTEN.sub("", printed).rstrip("\n"), limits.output_chars)]
    if end.timed_out:
        lines.append(f"[ended after {allowed:.0f} s: the command took too long]")
    if end.shell_restarted:
        lines.append(
            "[the shell itself ended and was started again in the same folder: "
            "its variables, functions and jobs are gone]"
        )
    if end.code and not end.timed_out:
        lines.append(f"[exit code {end.code}{_meaning(end.code)}]")
    text = "\n".join(line for line in lines if line) or "[no output]"
    return Result(text, failed=end.code != 0, exit_code=end.code)


def _meaning(code: int) -> str:
    return {
        126: ": not executable",
        127: ": command not found",
        130: ": interrupted",
        134: ": aborted",
        137: ": killed, probably out of memory",
        139: ": segmentation fault",
    }.get(code, "")
