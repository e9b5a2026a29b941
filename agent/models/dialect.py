"""What an endpoint takes, as far as it differs from OpenAI's."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from agent.models import Message
from agent.models.lessons import Lesson, is_too_long, lessons
from agent.models.writing import Latest, Writer, as_json, encoded

CONVERSATIONS = 4  # So many at the same time are not written anew each turn.
MAX_TOKENS = 8192
SCHEMA = frozenset({"type", "properties", "required", "description", "enum", "items"})


class Request(dict[str, Any]):
    """The body of a request, and what was known of the endpoint when it was written."""

    known: frozenset[Lesson] = frozenset()

    def body(self) -> bytes:
        """It as JSON; messages that were in an earlier request are not encoded anew."""
        head = {key: value for key, value in self.items() if key != "messages"}
        messages = b",".join(map(encoded, self["messages"]))
        return b'{"messages":[' + messages + b"]," + as_json(head)[1:]


class Dialect:
    """The requests for one model at one endpoint; it learns what that refuses.

    One object serves many runs in threads.
    """

    def __init__(self, model: str, *, sees: bool) -> None:
        self._model = model
        self._sees = sees
        self._known: frozenset[Lesson] = frozenset()
        self._shown = False
        self._latest: tuple[Latest, ...] = ()
        self._lock = threading.Lock()

    @property
    def sees(self) -> bool:
        """Whether pictures are sent."""
        return self._sees and Lesson.NO_PICTURES not in self._known

    def request(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Request:
        """The body of a request, as this endpoint wants it; a prefix stays the same bytes."""
        known = self._known
        sees = self._sees and Lesson.NO_PICTURES not in known
        latest = next((one for one in self._latest if one.begins(messages)), Latest())
        writer = Writer(known, tools, latest, sees=sees)
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
