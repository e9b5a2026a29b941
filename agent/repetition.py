"""Whether a model goes round in circles."""

from __future__ import annotations

import hashlib

from agent.errors import LimitReached
from agent.events import Reason, ToolCall

TOLD_AT, ASKED_AT = 3, 6
LONGEST_CIRCLE = 4
TOLD = (
    "[You have done this {times} times in a row with the very same result. "
    "Something else is needed: look at what went wrong, or take another way.]"
)


class Repetition:
    """Counts how often the latest call, or the latest few in turn, came with the same results."""

    def __init__(self) -> None:
        self._latest: list[bytes] = []

    def remark(self, call: ToolCall, result: str) -> str:
        """A word for the model when it keeps doing the same; mostly nothing."""
        made = f"{call.name}\0{call.arguments}\0{result}".encode(errors="replace")
        self._latest.append(hashlib.sha256(made).digest())
        del self._latest[: -LONGEST_CIRCLE * ASKED_AT]
        times = self._times()
        return TOLD.format(times=times) if times >= TOLD_AT else ""

    def check(self) -> None:
        """Say whether being told helps.

        Raises:
            LimitReached: it did not.
        """
        if (times := self._times()) >= ASKED_AT:
            raise LimitReached(
                Reason.REPEATING, f"The model did the same {times} times with the same result."
            )

    def _times(self) -> int:
        return max(self._times_of(length) for length in range(1, LONGEST_CIRCLE + 1))

    def _times_of(self, length: int) -> int:
        """How many times the latest `length` calls stand there one after the other."""
        circle, times = self._latest[-length:], 0
        end = len(self._latest)
        while end >= length and self._latest[end - length : end] == circle:
            times, end = times + 1, end - length
        return times
