"""The JSON objects in the bytes of an answer, in whatever pieces these come.

They are server-sent events, or one object as a whole where the endpoint does not stream.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from agent.errors import ModelUnavailable

EVENT_BYTES = 16 << 20
LINE_BYTES = 64  # What a line of an event takes in memory besides itself.
OF_MEANING = (b"data:", b"\n", b"\r")


class WebPage(ValueError):
    """It is HTML: a proxy's login, or a website where an API was expected."""


class Stream:
    """Takes in bytes; it is `done` when the endpoint has said that nothing follows.

    Taken are also events without an empty line between them or behind the last, as some
    endpoints send them.
    """

    def __init__(self) -> None:
        self.done = False
        self._events: bool | None = None
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._after_return = False

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Take in some bytes; the objects that they complete.

        Raises:
            WebPage: it is one.
            ValueError: it is neither.
            ModelUnavailable: an event, or a whole answer, is longer than 16 MB.
        """
        if self._events is None:
            data = self._begin(data)
        if not self._events:
            self._keep(data)
            return
        if self._after_return:  # What was taken for a line's end was half of one.
            data = data.removeprefix(b"\n")
        self._after_return = data.endswith(b"\r")
        if b"\n" not in data and b"\r" not in data:
            self._keep(data)
            return
        lines = (bytes(self._rest) + data).splitlines(keepends=True)
        self._rest.clear()
        if not lines[-1].endswith((b"\n", b"\r")):
            self._keep(lines.pop())
        for line in lines:
            if line.startswith(OF_MEANING):
                yield from self._line(line.strip())

    def end(self) -> Iterator[dict[str, Any]]:
        """Nothing follows; the objects that this completes.

        Raises:
            ValueError: the last one is none.
        """
        if self._events:
            yield from self._line(bytes(self._rest))
            yield from self._line(b"")
        elif self._rest:
            yield _object(bytes(self._rest))
            self.done = True

    def _begin(self, data: bytes) -> bytes:
        """See by its first byte what comes."""
        data = bytes(self._rest) + data
        self._rest.clear()
        if codecs.BOM_UTF8.startswith(data):
            self._keep(data)
            return b""
        data = data.removeprefix(codecs.BOM_UTF8).lstrip()
        if data.startswith(b"<"):
            raise WebPage
        if data:
            self._events = not data.startswith((b"{", b"["))
        return data

    def _keep(self, data: bytes) -> None:
        self._rest += data
        if len(self._rest) > EVENT_BYTES:
            raise ModelUnavailable("The model's answer had a line longer than 16 MB and was cut.")

    def _line(self, line: bytes) -> Iterator[dict[str, Any]]:
        if self.done:
            return
        if not line:
            yield from self._event()
        elif line.startswith(b"data:"):
            data = line[5:].strip()
            if data == b"[DONE]":
                yield from self._event()
                self.done = True
                return
            if len(self._data) == 1 and _whole(self._data[0]):
                yield from self._event()
            self._data.append(data)
            self._size += len(data) + LINE_BYTES
            if self._size > EVENT_BYTES:
                raise ModelUnavailable("The model's answer had an event longer than 16 MB.")

    def _event(self) -> Iterator[dict[str, Any]]:
        data = b"\n".join(self._data)
        self._data.clear()
        self._size = 0
        if data.strip():
            yield _object(data)


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data.decode("utf-8", "replace"), strict=False)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if isinstance(found, list) and len(found) == 1:  # So does Google with its errors.
        found = found[0]
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found


def _whole(data: bytes) -> bool:
    """Whether data is an event of its own, though no empty line came behind it."""
    try:
        _object(data)
    except ValueError:
        return False
    return True
