"""A recorded run, played again."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from agent.events import ModelSpoke
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

    It serves one run.
    """

    name = "recorded"
    sees = False
    window = sys.maxsize

    def __init__(self, events: Iterable[Timed]) -> None:
        self._replies = iter(replies_of(events))

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        yield next(self._replies, Reply())
