"""`execute_bash`: one persistent shell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from agent.limits import Limits
from agent.sandbox import Exited, Printed, Sandbox
from agent.tools import Outcome, Result, Tool, shortened
from agent.tools.output import BACKGROUND_CHARS, Output, background, remarks
from agent.tools.pictures import fetched


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
        own = Output(limits.output_chars * 4, limits.output_chars // 8)
        others = Output(BACKGROUND_CHARS, BACKGROUND_CHARS)
        for item in sandbox.run(command, allowed):
            match item:
                case Printed(data, background=True):
                    if text := others.add(data):
                        yield f"[background] {text}"
                case Printed(data):
                    if text := own.add(data):
                        yield text
                case Exited() as end:
                    printed, images = fetched(own.text(), sandbox, sees=sees)
                    said = background(others.text()) + _own(printed, end, limits, cut=own.lost > 0)
                    lines = [line for line in [*said, *remarks(end, allowed, sandbox)] if line]
                    text = "\n".join(lines) or "[no output]"
                    yield Result(text, end.code != 0, end.code, images)
                case None:
                    yield None

    return Tool(execute_bash)


def _own(printed: str, end: Exited, limits: Limits, *, cut: bool) -> list[str]:
    shown = shortened(printed, limits.output_chars, limits.output_lines)
    where = f"[more of the output is in {end.log}: search it with grep or sed]"
    return [shown, where if end.log and (cut or shown != printed) else ""]
