"""Messages as an endpoint wants them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.events import ToolCall
from agent.models import Message
from agent.models.lessons import Lesson
from agent.models.typed import whole

BLIND = "\n[You cannot see pictures; `check` gives facts about them.]"
SILENT = "(no words)"
GO_ON = "I have the results."
UNREADABLE_CHARS = 2_000
NAME = re.compile(r"[^a-zA-Z0-9_-]")
MANUAL = """

# Calling tools

You call the tools below by ending your turn with one or more calls, each a JSON object between \
<tool_call> and </tool_call>:
<tool_call>
{"name": "the tool's name", "arguments": {"its parameters": "and their values"}}
</tool_call>
What they answer comes back between <tool_response> and </tool_response>. Never write that \
yourself: end your turn after your calls.

The tools:
<tools>
%s
</tools>"""


class Written(dict[str, Any]):
    """A message as it is sent: as JSON, too, once it was."""

    json = b""


@dataclass(frozen=True, slots=True)
class Latest:
    """The messages of a conversation's latest request, as one who knew so much wrote them.

    `thinking` and `pictures` are what is left over for the messages that follow.
    """

    on: object = None
    messages: Sequence[Message] = ()
    wire: Sequence[dict[str, Any]] = ()
    pictures: Sequence[dict[str, Any]] = ()
    thinking: bool = False

    def begins(self, messages: Sequence[Message]) -> bool:
        """Whether these go on from there."""
        return list(messages[: len(self.messages)]) == self.messages


class Writer:
    """Writes messages for an endpoint of which so much is known.

    Those of the `latest` request, which this one begins with, are taken as they were written: so
    a turn costs the same however long the conversation is.
    """

    def __init__(
        self,
        known: frozenset[Lesson],
        tools: Sequence[Mapping[str, Any]],
        latest: Latest,
        *,
        sees: bool,
    ) -> None:
        self._known = known
        self._manual = _manual(tools) if tools and Lesson.NO_TOOLS in known else ""
        self._sees = sees
        self._thinking = Lesson.REASONING in known
        self.shown = False
        self.latest = latest

    def messages(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """All messages; pictures follow the results of all calls of a turn."""
        wire, pictures = self._written(messages)
        if pictures:
            wire.append(Written(role="user", content=pictures))
        if Lesson.NO_SYSTEM in self._known:
            wire = [*_merged(map(_from_user, wire[:2]), alternating=False), *wire[2:]]
        if self._known & {Lesson.NO_TOOLS, Lesson.ALTERNATING}:
            wire = list(_merged(wire, alternating=Lesson.ALTERNATING in self._known))
        return wire

    def _written(
        self, messages: Sequence[Message]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Each message, and the pictures of the last ones."""
        on = (self._known, self._sees, self._manual)
        before, count = self.latest, len(self.latest.messages)
        if before.on != on:
            before, count = Latest(thinking=self._thinking), 0
        wire, pictures = [*before.wire], [*before.pictures]
        self._thinking = before.thinking
        for message in messages[count:]:
            if message.role != "tool" and pictures:
                wire.append(Written(role="user", content=pictures))
                pictures = []
            wire.append(Written(self._message(message)))
            pictures += self._pictures(message.images)
        self.latest = Latest(on, list(messages), list(wire), pictures, self._thinking)
        return wire, pictures

    def _message(self, message: Message) -> dict[str, Any]:
        as_text = Lesson.NO_TOOLS in self._known
        text = whole(message.text)
        match message.role:
            case "assistant":
                return self._assistant(message, text)
            case "tool":
                text += BLIND if message.images and not self._sees else ""
                if as_text:
                    answer = f"<tool_response>\n{text}\n</tool_response>"
                    return {"role": "user", "content": answer}
                id = self._id(message.call)
                return {"role": "tool", "tool_call_id": id, "content": text or SILENT}
            case "system":
                return {"role": "system", "content": text + self._manual}
            case role:
                return {"role": role, "content": text}

    def _assistant(self, message: Message, text: str) -> dict[str, Any]:
        field = message.extra.get("reasoning_field")
        reasoning = whole(message.reasoning)
        # Who gives it may want it in each message from then on, also where nothing was thought.
        self._thinking = self._thinking or field == "reasoning_content"
        if field == "think" and Lesson.NO_REASONING not in self._known:
            text = f"<think>\n{reasoning}\n</think>\n\n{text}"
        if Lesson.NO_TOOLS in self._known:
            text = "\n".join([text, *map(_as_text, message.calls)]).strip()
        wire: dict[str, Any] = {"role": "assistant", "content": text}
        if not text and (not message.calls or Lesson.FILLED in self._known):
            wire["content"] = SILENT
        if Lesson.NO_REASONING not in self._known:
            if self._thinking:
                wire["reasoning_content"] = reasoning
            elif details := message.extra.get("reasoning_details"):
                wire["reasoning_details"] = details
            elif field == "reasoning":
                wire[field] = reasoning
        if message.calls and Lesson.NO_TOOLS not in self._known:
            extra = [*message.extra.get("extra_content", ()), *(None for _ in message.calls)]
            wire["tool_calls"] = list(map(self._call, message.calls, extra))
        return wire

    def _call(self, call: ToolCall, extra: Mapping[str, Any] | None) -> dict[str, Any]:
        function = {"name": _name(call.name), "arguments": _sendable(call.arguments)}
        wire: dict[str, Any] = {"id": self._id(call.id), "type": "function", "function": function}
        if extra and Lesson.NO_REASONING not in self._known:
            wire["extra_content"] = extra
        return wire

    def _id(self, id: str) -> str:
        if Lesson.SHORT_IDS not in self._known:
            return id
        return hashlib.sha256(id.encode()).hexdigest()[:9]

    def _pictures(self, images: Sequence[bytes]) -> list[dict[str, Any]]:
        if not images or not self._sees:
            return []
        self.shown = True
        return [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]


def encoded(message: dict[str, Any]) -> bytes:
    """A message as JSON, made once of one that was `Written`."""
    if not isinstance(message, Written):
        return as_json(message)
    message.json = message.json or as_json(message)
    return message.json


def as_json(value: Any) -> bytes:
    """As endpoints are sent it."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _merged(wire: Iterable[dict[str, Any]], *, alternating: bool) -> Iterator[dict[str, Any]]:
    """What users said in two messages is said in one; `alternating`, not after results either."""
    last: dict[str, Any] | None = None
    for message in wire:
        if last is not None and last["role"] == message["role"] == "user":
            last = {**last, "content": _joined(last["content"], message["content"])}
            continue
        if last is not None:
            yield last
            if alternating and last["role"] == "tool" and message["role"] == "user":
                yield {"role": "assistant", "content": GO_ON}
        last = message
    if last is not None:
        yield last


def _from_user(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "role": "user"} if message["role"] == "system" else message


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n\n{other}"
    parts = ([{"type": "text", "text": x}] if isinstance(x, str) else x for x in (one, other))
    return [part for some in parts for part in some]


def _manual(tools: Sequence[Mapping[str, Any]]) -> str:
    return MANUAL % "\n".join(json.dumps(tool["function"]) for tool in tools)


def _as_text(call: ToolCall) -> str:
    arguments = _sendable(call.arguments)
    return f'<tool_call>\n{{"name": "{_name(call.name)}", "arguments": {arguments}}}\n</tool_call>'


def _name(name: str) -> str:
    """A name that is one to every endpoint; a model may have written anything."""
    return NAME.sub("_", name)[:64] or "unknown"


def _sendable(arguments: str) -> str:
    """Arguments as the JSON object that endpoints insist on, even when the model wrote none."""
    for strict in (True, False):
        try:
            value = json.loads(arguments or "{}", strict=strict)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return (arguments or "{}") if strict else json.dumps(value)
    return json.dumps({"unreadable": arguments[:UNREADABLE_CHARS]})


def _data_url(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
