"""What an endpoint takes, as far as it differs from OpenAI's."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.events import ToolCall
from agent.models import Message
from agent.models.lessons import Lesson, is_too_long, lessons
from agent.models.typed import whole

CONVERSATIONS = 4  # So many at the same time are not written anew each turn.
BLIND = "\n[You cannot see pictures; `check` gives facts about them.]"
SILENT = "(no words)"
GO_ON = "I have the results."
MAX_TOKENS = 8192
UNREADABLE_CHARS = 2_000
NAME = re.compile(r"[^a-zA-Z0-9_-]")
SCHEMA = frozenset({"type", "properties", "required", "description", "enum", "items"})
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


class Request(dict[str, Any]):
    """The body of a request, and what was known of the endpoint when it was written."""

    known: frozenset[Lesson] = frozenset()

    def body(self) -> bytes:
        """It as JSON; messages that were in an earlier request are not encoded anew."""
        head = {key: value for key, value in self.items() if key != "messages"}
        messages = b",".join(map(_encoded, self["messages"]))
        return b'{"messages":[' + messages + b"]," + _json(head)[1:]


class Dialect:
    """The requests for one model at one endpoint; it learns what that refuses.

    One object serves many runs in threads.
    """

    def __init__(self, model: str, *, sees: bool) -> None:
        self._model = model
        self._sees = sees
        self._known: frozenset[Lesson] = frozenset()
        self._shown = False
        self._latest: tuple[_Latest, ...] = ()
        self._lock = threading.Lock()

    @property
    def sees(self) -> bool:
        """Whether pictures are sent."""
        return self._sees and Lesson.NO_PICTURES not in self._known

    def request(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Request:
        """The body of a request, as this endpoint wants it; a prefix stays the same bytes."""
        known = self._known
        sees = self._sees and Lesson.NO_PICTURES not in known
        latest = next((one for one in self._latest if one.begins(messages)), _Latest())
        writer = _Writer(known, tools, latest, sees=sees)
        request = Request(model=self._model, messages=writer.messages(messages))
        with self._lock:
            others = (one for one in self._latest if one is not latest)
            self._latest = (writer.latest, *others)[:CONVERSATIONS]
        request.known = known
        if tools and Lesson.NO_TOOLS not in known:
            plain = Lesson.PLAIN_SCHEMAS in known
            request["tools"] = [_plain_tool(tool) if plain else tool for tool in tools]
        if Lesson.NO_STREAM not in known:
            request["stream"] = True
            if Lesson.NO_STREAM_OPTIONS not in known:
                request["stream_options"] = {"include_usage": True}
        if Lesson.MAX_COMPLETION_TOKENS in known:
            request["max_completion_tokens"] = MAX_TOKENS
        elif Lesson.MAX_TOKENS in known:
            request["max_tokens"] = MAX_TOKENS
        self._shown = self._shown or writer.shown
        return request

    def learn(
        self, status: int | None, message: str, refused: Mapping[str, Any] | None = None
    ) -> bool:
        """Take in that a request was refused; whether the next one will be another.

        Each lesson is learned once, so this ends. `refused` is the request: it may be that what
        is wrong with it has been learned since from another run.
        """
        with self._lock:
            for lesson in lessons(status, message):
                if lesson is Lesson.NO_PICTURES and not self._shown:
                    continue
                if lesson not in self._known:
                    self._known |= {lesson}
                    return True
                if isinstance(refused, Request) and lesson not in refused.known:
                    return True
        return False

    @staticmethod
    def overflow(status: int | None, message: str) -> bool:
        """Whether a refusal means that the request is longer than the model's window."""
        return is_too_long(status, message)


@dataclass(frozen=True, slots=True)
class _Latest:
    """The messages of a conversation's latest request, as one who knew so much wrote them.

    `thinking` and `pictures` are what is left over for the messages that follow.
    """

    on: object = None
    messages: Sequence[Message] = ()
    wire: Sequence[dict[str, Any]] = ()
    pictures: Sequence[dict[str, Any]] = ()
    thinking: bool = False

    def begins(self, messages: Sequence[Message]) -> bool:
        return list(messages[: len(self.messages)]) == self.messages


class _Writer:
    """Writes messages for an endpoint of which so much is known.

    Those of the `latest` request, which this one begins with, are taken as they were written: so
    a turn costs the same however long the conversation is.
    """

    def __init__(
        self,
        known: frozenset[Lesson],
        tools: Sequence[Mapping[str, Any]],
        latest: _Latest,
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
            before, count = _Latest(thinking=self._thinking), 0
        wire, pictures = [*before.wire], [*before.pictures]
        self._thinking = before.thinking
        for message in messages[count:]:
            if message.role != "tool" and pictures:
                wire.append(Written(role="user", content=pictures))
                pictures = []
            wire.append(Written(self._message(message)))
            pictures += self._pictures(message.images)
        self.latest = _Latest(on, list(messages), list(wire), pictures, self._thinking)
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


def _encoded(message: dict[str, Any]) -> bytes:
    if not isinstance(message, Written):
        return _json(message)
    message.json = message.json or _json(message)
    return message.json


def _json(value: Any) -> bytes:
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


def _plain_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    return {**tool, "function": {**function, "parameters": _plain(function["parameters"])}}


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what only some servers understand."""
    wanted = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    meant = {**schema, **(wanted or [{}])[0]}
    plain = {key: value for key, value in meant.items() if key in SCHEMA}
    if "properties" in plain:
        plain["properties"] = {key: _plain(one) for key, one in plain["properties"].items()}
    if "items" in plain:
        plain["items"] = _plain(plain["items"])
    return plain


def _data_url(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"
