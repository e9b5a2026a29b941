"""An answer as it is put together from the pieces of a stream."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ModelUnavailable
from agent.events import ToolCall, Usage
from agent.models import Delta, Reply
from agent.models.details import Details, unchanged
from agent.models.textcalls import find_calls
from agent.models.typed import Typed, parted, whole

REPLY_CHARS = 16 << 20
TOKENS = 2**31 - 1
MESSAGE_CHARS = 10_000
FILTERED = "[The provider's content filter ended this answer.]"
CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
FAILED = {
    "error": (None, "It ended its answer with an error."),
    "insufficient_system_resource": (503, "It has too few resources for an answer now."),
}
# What MiniMax means by the codes in the `base_resp` of a 200.
MINIMAX = {1001: 504, 1002: 429, 1004: 401, 1008: 402, 1039: 429, 2013: 400}


class ProviderError(Exception):
    """The endpoint sent an error where an answer should be.

    `status` is the HTTP status it stands for, if it says so; `message` may hold secrets.
    """

    def __init__(self, status: int | None, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass
class _Call:
    """A call as it comes in; `chunk` is the number of the one that touched it last."""

    id: str = ""
    name: str = ""
    arguments: io.StringIO = field(default_factory=io.StringIO)
    pieces: int = 0
    nameless: bool = False
    chunk: int = 0
    extra: dict[str, Any] | None = None


class Answer:
    """Takes in the chunks of one answer, as JSON objects that nobody has checked.

    It is `complete` once the endpoint has said why it ended; until then nothing of it may be used.
    `tools` are those that the model was told of: calls written as text are found by their names.
    """

    def __init__(self, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        self.complete = False
        self._tools = tools
        self._text = Typed()
        self._reasoning = io.StringIO()
        self._field = ""
        self._details = Details()
        self._calls: list[_Call] = []
        self._at: dict[int, _Call] = {}
        self._ids: dict[str, _Call] = {}
        self._usage = Usage()
        self._reason = ""
        self._chunks = 0
        self._chars = 0

    def take(self, chunk: Mapping[str, Any]) -> Delta:
        """Take in one chunk, or a whole answer that was not streamed; what is new to show in it.

        Raises:
            ValueError: it is no chunk of an answer.
            ProviderError: it is an error.
            ModelUnavailable: the answer is too long.
        """
        if not isinstance(chunk, dict):
            raise ValueError("a chunk is an object")
        _refuse(chunk)
        self._chunks += 1
        self._take_usage(chunk.get("usage"))
        self._take_usage(_mapping(chunk.get("x_groq")).get("usage"))
        choices = chunk.get("choices") or []
        if not isinstance(choices, list) or not all(isinstance(one, dict) for one in choices):
            raise ValueError("choices are a list of objects")
        return self._take_choice(choices[0]) if choices else Delta()

    def done(self) -> None:
        """The stream ended in good order, though nobody said why the answer did."""
        self.complete = self.complete or self._said()

    def reply(self) -> Reply:
        """The finished turn."""
        text, inner = self._text.finished()
        reasoning = whole(self._reasoning.getvalue()) or inner
        calls = [
            ToolCall(whole(call.id), whole(call.name), whole(_unwrapped(call.arguments.getvalue())))
            for call in self._calls
        ]
        if not calls:
            text, calls = find_calls(text, self._tools)
        if not calls and not text:
            reasoning, calls = find_calls(reasoning, self._tools, prose=False)
        if self._reason == "content_filter":
            text = f"{text}\n\n{FILTERED}".strip()
        return Reply(
            text,
            reasoning,
            tuple(calls),
            self._usage,
            self._extra(thought="think" if inner and not self._reasoning.tell() else self._field),
            cut=self._reason in CUT or self._reason == "content_filter",
        )

    def _take_choice(self, choice: dict[str, Any]) -> Delta:
        self._take_usage(choice.get("usage"))
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason not in ("", "null"):
            self._reason, self.complete = reason, True
            if reason in FAILED:
                raise ProviderError(*FAILED[reason])
        piece = choice.get("delta")
        if not piece and not self._said():  # At the end some send the whole message once more.
            piece = choice.get("message")
        piece = piece or {}
        if not isinstance(piece, dict):
            raise ValueError("a delta is an object")
        return self._take_piece(piece)

    def _take_piece(self, piece: dict[str, Any]) -> Delta:
        typed, inner = parted(piece.get("content"))
        refusal = piece.get("refusal")
        typed += refusal if isinstance(refusal, str) else ""
        thought = self._thought(piece) + inner
        shown, inner = self._text.take(typed)
        calls = piece.get("tool_calls") or []
        if not calls and piece.get("function_call"):
            calls = [{"index": 0, "function": piece["function_call"]}]
        calls = [calls] if isinstance(calls, dict) else calls
        if not isinstance(calls, list):
            raise ValueError("calls are a list")
        for wish in calls:
            self._take_call(_mapping(wish))
        self._reasoning.write(thought)
        self._grow(len(typed) + len(thought))
        return Delta(shown, whole(thought + inner))

    def _thought(self, piece: dict[str, Any]) -> str:
        """The reasoning in a piece: some send the same in two or three fields."""
        size, added = self._details.take(piece.get("reasoning_details"))
        self._grow(size)
        for name in ("reasoning_content", "reasoning"):
            thought = piece.get(name)
            if isinstance(thought, str) and thought:
                self._field = self._field or name
                return thought
        return "" if self._field else added

    def _take_call(self, piece: dict[str, Any]) -> None:
        function = _mapping(piece.get("function"))
        id, name = _text(piece.get("id")), _text(function.get("name"))
        arguments = _arguments(function.get("arguments"))
        call = self._call(piece.get("index"), id, name)
        if not call.pieces and name != call.name:
            call.name += name
        call.id = call.id or id
        call.nameless = call.nameless or not name
        call.chunk = self._chunks
        call.arguments.write(arguments)
        call.pieces += bool(arguments)
        extra = unchanged(piece.get("extra_content"))
        call.extra = extra or call.extra
        self._grow(len(arguments) + len(name) + len(id) + len(str(extra)))

    def _call(self, index: object, id: str, name: str) -> _Call:
        """The call that a piece belongs to, a new one if need be.

        Indexes and ids are missing, repeated or new in each piece with one server or another;
        what a further call always has is a name.
        """
        at = index if isinstance(index, int) and not isinstance(index, bool) else None
        known = self._calls[-1] if self._calls else None
        if at is not None:
            known = self._at.get(at)
        elif id:
            known = self._ids.get(id, None if name else known)
        if known is None or (name and self._is_further(known, id, name)):
            known = _Call()
            self._calls.append(known)
        if at is not None:
            self._at[at] = known
        if id:
            self._ids[id] = known
        return known

    def _is_further(self, known: _Call, id: str, name: str) -> bool:
        """Whether a named piece where `known` is begins another call."""
        if id and known.id:
            return id != known.id
        if not id and known.chunk == self._chunks:
            return True
        if not known.pieces:
            return False
        if name != known.name or known.nameless:
            return True
        return known.pieces == 1 and _is_object(known.arguments.getvalue())

    def _take_usage(self, usage: object) -> None:
        """The last count holds; some send zeros first, and some say it in places of their own."""
        if not usage:
            return
        count = _mapping(usage)
        details = _mapping(count.get("prompt_tokens_details"))
        input, output = _tokens(count.get("prompt_tokens")), _tokens(count.get("completion_tokens"))
        cached = max(
            _tokens(details.get("cached_tokens")),
            _tokens(count.get("cached_tokens")),
            _tokens(count.get("prompt_cache_hit_tokens")),
        )
        if input or output:
            self._usage = Usage(input, output, min(cached, input))

    def _said(self) -> bool:
        return bool(self._calls or self._reasoning.tell() or self._text)

    def _extra(self, thought: str) -> dict[str, Any]:
        """What has to be sent back besides the text: where the reasoning stood, and details."""
        details = self._details.whole()
        of_calls = [call.extra for call in self._calls]
        return {
            **({"extra_content": of_calls} if any(of_calls) else {}),
            **({"reasoning_field": thought} if thought else {}),
            **({"reasoning_details": details} if details else {}),
        }

    def _grow(self, chars: int) -> None:
        self._chars += chars
        if self._chars > REPLY_CHARS:
            raise ModelUnavailable("The model's answer was longer than 16 MB and was cut.")


def _refuse(chunk: Mapping[str, Any]) -> None:
    """Raise what a chunk says went wrong."""
    base = _mapping(chunk.get("base_resp"))
    if base and (code := _tokens(base.get("status_code"))):
        raise ProviderError(MINIMAX.get(code), f"{_text(base.get('status_msg'))} ({code})")
    error = chunk.get("error")
    if not error and chunk.get("object") == "error":
        error = chunk
    if not error:
        return
    found = _mapping(error)
    status = next(filter(None, map(_status, _codes(found))), None)
    said = _text(found.get("message")) or (error if isinstance(error, str) else "")
    cause = _text(_mapping(found.get("metadata")).get("raw"))
    words = f"{said}: {cause}" if said and cause else said or cause
    raise ProviderError(status, words[:MESSAGE_CHARS] or "It sent an error without a word.")


def _codes(error: Mapping[str, Any]) -> Iterator[object]:
    for name in ("code", "status", "status_code", "http_code"):
        yield error.get(name)


def _status(code: object) -> int | None:
    text = str(code) if isinstance(code, int | str) else ""
    return int(text) if len(text) == 3 and text.isdecimal() and 400 <= int(text) < 600 else None


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _tokens(value: object) -> int:
    if not isinstance(value, int | float) or not 0 < value <= TOKENS:
        return 0
    return int(value)


def _arguments(value: object) -> str:
    """A piece of a call's arguments; some send the object itself."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return json.dumps(value)
    except (RecursionError, ValueError) as error:
        raise ValueError("arguments are too deep") from error


def _unwrapped(arguments: str) -> str:
    """Arguments as JSON text; some wrap it in a JSON string, or begin with an empty object."""
    if arguments.startswith("{}"):
        return arguments[2:].strip() or "{}"
    if not arguments.lstrip().startswith('"'):
        return arguments
    try:
        inner = json.loads(arguments, strict=False)
    except ValueError:
        return arguments
    return inner if isinstance(inner, str) and _is_object(inner) else arguments


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text, strict=False), dict)
    except (ValueError, RecursionError):
        return False
