"""A container's attached stream, without the engine's framing."""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import Any

STDCOPY = struct.Struct("!B3xI")


class Attached:
    """A container's attached stream as a `Transport`: takes the engine's framing off."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._socket: socket.socket = getattr(stream, "_sock", stream)
        self._socket.setblocking(False)
        self._buffer = bytearray()
        self._errors = bytearray()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, data: memoryview) -> int:
        with contextlib.suppress(BlockingIOError):
            return self._socket.send(data)
        return 0

    def receive(self) -> bytes | None:
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return None
        if not data:
            if self._errors:
                last = self._errors.decode("utf-8", "replace").strip()[-500:]
                raise OSError(f"the guest failed: {last}")
            return b""
        self._buffer += data
        out, start = bytearray(), 0
        while len(self._buffer) - start >= STDCOPY.size:
            stream, length = STDCOPY.unpack_from(self._buffer, start)
            end = start + STDCOPY.size + length
            if len(self._buffer) < end:
                break
            piece = self._buffer[start + STDCOPY.size : end]
            if stream == 1:
                out += piece
            else:
                self._errors = (self._errors + piece)[-4096:]
            start = end
        del self._buffer[:start]
        return bytes(out) if out else None

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
