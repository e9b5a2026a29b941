"""Testing a connection: whether a model answers, calls tools, and sees."""

from __future__ import annotations

import contextlib
import re
import struct
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.conversation import numbered
from agent.errors import ModelUnavailable
from agent.hints import Waiting
from agent.models import Message, Model, Reply

SECONDS = 20.0
PICTURE = "picture.png"
TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Show you a picture.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        },
    },
}
ASK = Message(
    "user",
    f"Call the tool `look` with the path {PICTURE}. Then answer with two words: the colour of the "
    "picture's left half and the colour of its right half.",
)
COLOURS = re.compile(
    r"red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|[红橙黄绿蓝紫黑白灰]",
    re.IGNORECASE,
)
SEEN = [{"blue", "蓝"}, {"yellow", "黄"}]
WAITS = {
    "busy": "is busy, or the quota is used up",
    "error": "answers with an error",
    "connection": "cannot be reached",
}


@dataclass(frozen=True, slots=True)
class Probed:
    """What came of it: `said` is a sentence for operators, without any secret.

    `calls` and `sees` are None where the model was not asked or gave no answer.
    """

    works: bool
    said: str
    seconds: float
    calls: bool | None = None
    sees: bool | None = None


def probe(model: Model, seconds: float = SECONDS) -> Probed:
    """Ask for one tool call, and say how that went."""
    return _probe(model, seconds, look=False)


def look(model: Model, seconds: float = SECONDS) -> Probed:
    """The same, and then show it a picture; the model must be one that pictures are sent to."""
    return _probe(model, seconds, look=True)


def _probe(model: Model, seconds: float, *, look: bool) -> Probed:
    began = time.monotonic()
    try:
        reply = _reply(model, [ASK], began + seconds)
    except ModelUnavailable as error:
        return Probed(False, str(error), _since(began))
    took = _since(began)
    calls = any(call.name == "look" for call in reply.calls)
    said = f"{model.name} answers in {took:.1f} s and calls tools."
    if not calls:
        said = f"{model.name} answers in {took:.1f} s, but did not call the tool it was told to."
    found = Probed(True, said, took, calls)
    return replace(found, sees=_looks(model, reply, began + seconds)) if look and calls else found


def _looks(model: Model, reply: Reply, deadline: float) -> bool | None:
    """Whether it can say what is in the picture that it asked for."""
    shown = [
        Message("tool", "The picture follows.", call=call.id, images=() if place else (_picture(),))
        for place, call in enumerate(reply.calls)
    ]
    try:
        answer = _reply(model, [ASK, reply.message(), *shown], deadline)
    except _Late:
        return None
    except ModelUnavailable:
        # It answered a moment ago: what it refuses is the picture.
        return False
    named = [word.lower() for word in COLOURS.findall(answer.text)]
    return len(named) == len(SEEN) and all(map(set.__contains__, SEEN, named))


class _Late(ModelUnavailable):
    """The time is over, or the endpoint asks to be left in peace."""


def _reply(model: Model, messages: Sequence[Message], deadline: float) -> Reply:
    with contextlib.closing(model.reply(messages, [TOOL])) as pieces:
        for piece in pieces:
            if isinstance(piece, Reply):
                return numbered(piece, 1)
            if isinstance(piece, Waiting):
                raise _Late(f"{model.name}: the endpoint {WAITS[piece.why]}.")
            if time.monotonic() >= deadline:
                raise _Late(f"{model.name} did not answer in time.")
    raise ModelUnavailable(f"{model.name} gave no answer.")


def _since(began: float) -> float:
    return round(time.monotonic() - began, 2)


def _picture(size: int = 64) -> bytes:
    """A PNG whose left half is blue and whose right half is yellow."""
    row = b"\0" + bytes((0, 0, 255)) * (size // 2) + bytes((255, 255, 0)) * (size // 2)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(row * size)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
