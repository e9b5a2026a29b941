"""A recorded run, played again."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.checks import MOST_REFUSALS as REFUSALS
from agent.events import ModelSpoke, Usage
from agent.models import Delta, Message, Reply
from agent.trajectories.timed import Timed


def replies_of(events: Iterable[Timed]) -> list[Reply]:
    """What the model said, turn by turn."""
    return [
        Reply(
            happened.text,
            happened.reasoning,
            happened.calls,
            happened.usage,
            happened.extra,
            happened.cut,
        )
        for _, happened in events
        if isinstance(happened, ModelSpoke)
    ]


class Recorded:
    """A `Model` that says what another one said, whatever it is told now; then it falls silent.

    What it had submitted it submits again if that was refused. It serves one run.
    """

    name = "recorded"
    sees = False
    window = sys.maxsize

    def __init__(self, events: Iterable[Timed]) -> None:
        self._replies = iter(replies_of(events))
        self._again = REFUSALS
        self._submitted = Reply()

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        reply = next(self._replies, None)
        if reply is None and self._again:
            self._again, reply = self._again - 1, self._submitted
        elif reply and any(call.name == "submit" for call in reply.calls):
            self._submitted = replace(reply, usage=Usage())
        yield reply or Reply()
