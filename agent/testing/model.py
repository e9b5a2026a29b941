"""A model that says what it was told to say."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from agent.errors import ModelUnavailable
from agent.events import ToolCall
from agent.models import WINDOW, Delta, Message, Reply


def call(name: str, id: str = "", **arguments: Any) -> ToolCall:
    """A tool call as a model writes it."""
    return ToolCall(id, name, json.dumps(arguments, ensure_ascii=False))


def bash(command: str, **arguments: Any) -> Reply:
    """A turn that runs one command."""
    return Reply(calls=(call("execute_bash", command=command, **arguments),))


def submit(summary: str = "") -> Reply:
    """A turn that ends the run."""
    return Reply(calls=(call("submit", summary=summary),))


class ScriptedModel:
    """A `Model` that says its replies one after the other; `asked` keeps what it was told."""

    def __init__(
        self,
        replies: Sequence[Reply | Exception],
        name: str = "scripted",
        *,
        window: int = WINDOW,
        sees: bool = False,
    ) -> None:
        self.name = name
        self.window, self.sees = window, sees
        self.asked: list[list[Message]] = []
        self._replies = iter(replies)

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        self.asked.append(list(messages))
        reply = next(self._replies, None)
        if reply is None:
            raise ModelUnavailable("The script has no further reply.")
        if isinstance(reply, Exception):
            raise reply
        yield Delta(reply.text)
        yield reply
