"""The conversation as the model is told it, kept within its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.events import Usage
from agent.models import Message


class Context:
    """The messages of a run; the bytes of those already told stay the same."""

    def __init__(self, messages: Sequence[Message], window: int) -> None:
        self.messages = list(messages)
        self._window = window

    def add(self, *messages: Message) -> None:
        self.messages += messages

    def remark(self, text: str) -> None:
        """Add a word to the last message, which has not been told yet."""
        last = self.messages[-1]
        self.messages[-1] = replace(last, text=f"{last.text}\n\n{text}")

    def measured(self, usage: Usage) -> None:
        """Learn from what the provider counted for all messages so far."""
