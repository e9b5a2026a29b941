"""`submit`: the end of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from agent.errors import ToolError
from agent.tools import Outcome, Result, Tool

SUMMARY_CHARS = 20_000


def submit_tool(has_output: Callable[[], bool]) -> Tool:
    """The tool; `has_output` says whether the output folder holds a file."""

    def submit(
        summary: Annotated[
            str, Field(description="For the user, in their language: what you made, or the answer.")
        ] = "",
    ) -> Outcome:
        """End the work: the files in /workspace/output are handed to the user.

        Verify them first. A question that needs no file is answered in the summary.
        """
        if not has_output() and not summary.strip():
            raise ToolError(
                "Not submitted: there is no file in /workspace/output and no answer in `summary`. "
                "Put the result there, or give the answer."
            )
        yield Result(summary[:SUMMARY_CHARS], final=True)

    return Tool(submit)
