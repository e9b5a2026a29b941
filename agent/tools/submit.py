"""`submit`: the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Annotated

from pydantic import Field

from agent.errors import ToolError
from agent.tools import Outcome, Result, Tool

SUMMARY_CHARS = 20_000


def nothing_wrong() -> Generator[None, None, str]:
    """The `refusal` of a tool that asks nobody."""
    yield from ()
    return ""


def submit_tool(
    has_output: Callable[[], bool],
    refusal: Callable[[], Generator[None, None, str]] = nothing_wrong,
) -> Tool:
    """The tool; `has_output` says whether the output folder holds a file.

    `refusal` yields heart beats and returns what the model is to be told first, or nothing.
    """

    def submit(
        summary: Annotated[
            str, Field(description="For the user, in their language: what you made, or the answer.")
        ] = "",
    ) -> Outcome:
        """End the work: the files in /workspace/output are handed to the user.

        Verify them first: they are checked once more, and what is broken comes back to you, once.
        A question that needs no file is answered in the summary.
        """
        if not has_output() and not summary.strip():
            raise ToolError(
                "Not submitted: there is no file in /workspace/output and no answer in `summary`. "
                "Put the result there, or give the answer."
            )
        if told := (yield from refusal()):
            raise ToolError(told)
        yield Result(summary[:SUMMARY_CHARS], final=True)

    return Tool(submit)
