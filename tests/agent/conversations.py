"""Conversations of any length, for tests of how they are kept within a window."""

import random
from collections.abc import Iterator, Sequence

from agent.context import Context
from agent.errors import ModelUnavailable
from agent.events import ContextCompacted, Event, Usage
from agent.models import Message, Reply
from agent.testing import call
from agent.tokens import counted

SYSTEM, REQUEST = Message("system", "Make what is asked for."), Message("user", "A map of Tokyo.")
WORDS = ["the", "file", "has", "been", "written", "and", "no", "error", "was", "found", "in", "it"]


def prose(tokens: int, seed: int = 0) -> str:
    """About that many tokens, in lines."""
    dice = random.Random(seed)
    return "\n".join(" ".join(dice.choices(WORDS, k=10)) for _ in range(tokens // 11))


def tokens(messages: Sequence[Message]) -> int:
    return sum(map(counted, messages))


def turn(number: int, output: str, **arguments: str) -> tuple[Message, Message]:
    wish = call("execute_bash", f"call_{number}", **(arguments or {"command": "make"}))
    return Message("assistant", "Next.", calls=(wish,)), Message("tool", output, call=wish.id)


class Asked:
    """A model that is asked for summaries and gives this one."""

    def __init__(
        self, summary: str | ModelUnavailable = "All went well; map.html is left."
    ) -> None:
        self.summary = summary
        self.asked: list[list[Message]] = []

    def __call__(self, messages: Sequence[Message]) -> Iterator[Event]:
        self.asked.append(list(messages))
        yield from ()
        if isinstance(self.summary, ModelUnavailable):
            raise self.summary
        return Reply(self.summary, usage=Usage(input=7, output=3))


def made_room(context: Context, model: Asked | None = None) -> ContextCompacted | None:
    events = list(context.make_room(model or Asked()))
    assert len(events) <= 1
    return events[0] if events else None


def filled(window: int, outputs: Sequence[str], **more: str) -> Context:
    context = Context([SYSTEM, REQUEST], window)
    for number, output in enumerate(outputs):
        for message in turn(number, output, **more):
            context.add(message)
    return context


def paired(messages: Sequence[Message]) -> bool:
    """Whether each call is answered once, right behind, in the order of the calls."""
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            if not waiting or waiting.pop(0) != message.call:
                return False
        elif waiting:
            return False
        waiting += [wish.id for wish in message.calls]
    return not waiting
