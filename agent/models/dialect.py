"""What an endpoint takes and gives, as far as it differs from OpenAI's."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from agent.models import Message
from agent.models.answer import whole


class Dialect:
    """The requests for one model at one endpoint; it learns what that refuses."""

    def __init__(self, model: str, *, sees: bool) -> None:
        self._model = model
        self._sees = sees

    def request(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """The body of a request, as this endpoint wants it; a prefix stays the same bytes."""
        return {
            "model": self._model,
            "messages": [part for message in messages for part in self._wire(message)],
            "tools": list(tools),
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def learn(self, status: int, message: str) -> bool:
        """Take in that a request was refused; whether the next one will be another."""
        return False

    def _wire(self, message: Message) -> list[dict[str, Any]]:
        """A message as the endpoint wants it; pictures go into a user message behind it."""
        match message.role:
            case "assistant":
                calls = [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    }
                    for call in message.calls
                ]
                wire: dict[str, Any] = {"role": "assistant", "content": message.text}
                if calls:
                    wire["tool_calls"] = calls
                return [wire]
            case "tool":
                text = whole(message.text)
                if message.images and not self._sees:
                    text += "\n[You cannot see pictures; `check` gives facts about them.]"
                answer = {"role": "tool", "tool_call_id": message.call, "content": text}
                return [answer, *self._pictures(message.images)]
            case role:
                return [{"role": role, "content": message.text}]

    def _pictures(self, images: Sequence[bytes]) -> list[dict[str, Any]]:
        if not images or not self._sees:
            return []
        parts = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]
        return [{"role": "user", "content": parts}]


def _data_url(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
