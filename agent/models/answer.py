"""An answer as it is put together from the pieces of a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ModelUnavailable
from agent.events import ToolCall, Usage
from agent.models import Delta, Reply

REPLY_CHARS = 16 << 20


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Answer:
    """Takes in the chunks of one answer, as JSON objects that nobody has checked.

    It is `complete` once the endpoint has said why it ended; until then nothing of it may be used.
    """

    text: str = ""
    reasoning: str = ""
    calls: dict[int, _Call] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    complete: bool = False

    def take(self, chunk: Mapping[str, Any]) -> Delta:
        """Take in one chunk; what is new to show in it.

        Raises:
            ValueError: it is no chunk of an answer.
            ModelUnavailable: the answer is too long.
        """
        typed = ""
        if usage := chunk.get("usage"):
            self.usage = _usage(usage)
        for choice in (chunk.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            self.complete = self.complete or choice.get("finish_reason") is not None
            self.reasoning += delta.get("reasoning_content") or ""
            self._take_calls(delta.get("tool_calls") or [])
            typed += delta.get("content") or ""
        self.text += typed
        if self._chars() > REPLY_CHARS:
            raise ModelUnavailable("The model's answer was longer than 16 MB and was cut.")
        return Delta(whole(typed))

    def _take_calls(self, pieces: Sequence[Mapping[str, Any]]) -> None:
        for piece in pieces:
            call = self.calls.setdefault(piece.get("index", len(self.calls)), _Call())
            call.id = piece.get("id") or call.id
            function = piece.get("function") or {}
            call.name += function.get("name") or ""
            call.arguments += function.get("arguments") or ""

    def _chars(self) -> int:
        calls = sum(len(call.arguments) for call in self.calls.values())
        return len(self.text) + len(self.reasoning) + calls

    def reply(self) -> Reply:
        """The finished turn."""
        calls = tuple(
            ToolCall(call.id, call.name, whole(call.arguments))
            for _, call in sorted(self.calls.items())
        )
        return Reply(whole(self.text), whole(self.reasoning), calls, self.usage)


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(
        input=usage.get("prompt_tokens") or 0,
        output=usage.get("completion_tokens") or 0,
        cached=(usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
    )


def whole(text: str) -> str:
    """Text that can be encoded: halves of surrogate pairs joined, lonely ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
