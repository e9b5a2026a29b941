"""The frames between host and guest; both sides import this file.

A frame is a header (payload length, kind, request number) and a payload: JSON for questions and
answers, raw bytes for `OUT` and `DATA`. The host asks one thing at a time. `OUT` carries the number
of the command that it comes from, also when its background jobs print later; request 0 is for what
the guest says unasked (`READY`, `NOTICE`).

Bytes come as `DATA` frames and a `DONE`, or an `ERROR` in its place. Those of a `GLIMPSE`, for
which the host names a `media` (image or audio) and a `limit`, begin with a frame that says in JSON
what they are: the `path` below the workspace and the `size`. If nothing is new, none come.
"""

from __future__ import annotations

import json
import struct
from enum import IntEnum
from typing import Any

PROTOCOL = 3
HEADER = struct.Struct("!IBI")
CHUNK = 256 * 1024
MAX_PAYLOAD = 11 << 20
MAX_COMMAND = 10 << 20


class Kind(IntEnum):
    """What a frame says; the first group is said by the host, the second by the guest."""

    RUN = 1
    KILL = 2
    READ = 3
    WRITE = 4
    LIST = 5
    SETTLE = 6
    SAVE = 7
    RESTORE = 8
    USAGE = 9
    REMOVE = 10
    GLIMPSE = 11

    READY = 32
    OUT = 33
    EXIT = 34
    DONE = 35
    ERROR = 36
    NOTICE = 37

    DATA = 64
    END = 65


class ProtocolError(Exception):
    """The other side does not speak this protocol."""


def pack(kind: Kind, request: int, payload: bytes = b"") -> bytes:
    """A whole frame."""
    return HEADER.pack(len(payload), kind, request) + payload


def pack_json(kind: Kind, request: int, **fields: Any) -> bytes:
    """A whole frame whose payload is a JSON object."""
    return pack(kind, request, json.dumps(fields).encode())


def unpack_json(payload: bytes) -> dict[str, Any]:
    """The object in a payload.

    Raises:
        ProtocolError: it is not a JSON object.
    """
    try:
        value = json.loads(payload)
    except ValueError as error:
        raise ProtocolError("a payload is not JSON") from error
    if not isinstance(value, dict):
        raise ProtocolError("a payload is not an object")
    return value


class Decoder:
    """Turns bytes as they arrive into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[Kind, int, bytes]]:
        """The frames completed by `data`.

        Raises:
            ProtocolError: an unknown kind, or a payload over `MAX_PAYLOAD`.
        """
        self._buffer += data
        frames, start = [], 0
        while len(self._buffer) - start >= HEADER.size:
            length, kind, request = HEADER.unpack_from(self._buffer, start)
            if length > MAX_PAYLOAD:
                raise ProtocolError(f"a frame of {length} bytes")
            end = start + HEADER.size + length
            if len(self._buffer) < end:
                break
            try:
                frames.append((Kind(kind), request, bytes(self._buffer[start + HEADER.size : end])))
            except ValueError as error:
                raise ProtocolError(f"a frame of unknown kind {kind}") from error
            start = end
        del self._buffer[:start]
        return frames
