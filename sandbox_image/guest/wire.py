"""The guest's end of the stream: standard input and output, blocking."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator

from sandbox_image.guest.protocol import CHUNK, Decoder, Kind, ProtocolError, pack, pack_json


class HostGone(Exception):
    """The host closed the stream: the guest has nobody to work for."""


class Wire:
    """Frames in from one descriptor, frames out to another."""

    def __init__(self, source: int, sink: int) -> None:
        self.source = source
        self._sink = sink
        self._decoder = Decoder()
        self._frames: deque[tuple[Kind, int, bytes]] = deque()

    def waiting(self) -> bool:
        """Whether `receive` would answer at once."""
        return bool(self._frames)

    def receive(self) -> tuple[Kind, int, bytes]:
        """The next frame; waits for it.

        Raises:
            HostGone: the host closed the stream.
        """
        while not self._frames:
            data = os.read(self.source, CHUNK)
            if not data:
                raise HostGone
            self._frames.extend(self._decoder.feed(data))
        return self._frames.popleft()

    def incoming(self) -> Iterator[bytes]:
        """The payloads of `DATA` frames up to the `END`."""
        while True:
            kind, _, payload = self.receive()
            if kind is Kind.END:
                return
            if kind is not Kind.DATA:
                raise ProtocolError(f"{kind.name} inside a transfer")
            yield payload

    def send(self, kind: Kind, request: int, payload: bytes = b"") -> None:
        """Write a frame; waits until the host has taken it."""
        self._write(pack(kind, request, payload))

    def say(self, kind: Kind, request: int, **fields: object) -> None:
        """Write a frame with a JSON payload."""
        self._write(pack_json(kind, request, **fields))

    def _write(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[os.write(self._sink, view) :]
