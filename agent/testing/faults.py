"""What endpoints do wrong: answers for a `ScriptedEndpoint`, in real HTTP."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

Fault = Callable[[BaseHTTPRequestHandler], None]

# Half a call: it names a tool and begins its arguments, and nothing says that it is complete.
BEGUN = {
    "tool_calls": [
        {
            "index": 0,
            "id": "half",
            "function": {"name": "execute_bash", "arguments": '{"command": "echo half > '},
        }
    ]
}


def event(delta: Any, finish_reason: str | None = None) -> bytes:
    """A piece of an answer as a server-sent event."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def answered(
    body: bytes | Iterable[bytes],
    status: int = 200,
    kind: str = "text/event-stream",
    **headers: str,
) -> Fault:
    """These bytes, as they are, with nothing that says how many they are."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        _head(handler, status, kind, headers)
        for piece in [body] if isinstance(body, bytes) else body:
            handler.wfile.write(piece)
            handler.wfile.flush()

    return answer


def refused(status: int, message: str = "no", **headers: str) -> Fault:
    """An error with headers, such as `Retry_After`."""
    body = json.dumps({"error": {"message": message}}).encode()
    return answered(body, status, "application/json", **headers)


def hangs(seconds: float, *before: bytes) -> Fault:
    """Silence: instead of an answer, or behind the first pieces of one."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if before:
            _head(handler, 200, "text/event-stream", {})
            handler.wfile.write(b"".join(before))
        _sleep(handler, seconds)

    return answer


def trickles(seconds: float, each: float, piece: bytes = b":") -> Fault:
    """A few bytes again and again, which are never an answer."""
    return answered(_slowly(seconds, each, piece))


def breaks_off(*before: bytes, reset: bool = False) -> Fault:
    """The first pieces of an answer, and then the end of the connection, or its reset."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if before:
            _head(handler, 200, "text/event-stream", {})
            handler.wfile.write(b"".join(before))
        if reset:
            time.sleep(0.05)  # A reset takes back what has not been read.
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.rfile.close()
            handler.connection.close()
        else:
            handler.connection.shutdown(socket.SHUT_RDWR)

    return answer


def talks_on(size: int, *, piece: bytes) -> Fault:
    """A piece again and again, until so many bytes are sent or nobody listens."""
    return answered(piece for _ in range(size // len(piece)))


def gzip_bomb(size: int) -> Fault:
    """An event of that many bytes in a thousandth of them."""
    return answered(gzip.compress(b"data: " + b" " * size), content_encoding="gzip")


def raw(data: bytes) -> Fault:
    """Bytes instead of HTTP."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(data)

    return answer


def redirected(target: str, status: int = 307) -> Fault:
    """Elsewhere."""
    return answered(b"", status, location=target)


def _head(handler: BaseHTTPRequestHandler, status: int, kind: str, headers: dict[str, str]) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.close_connection = True


def _slowly(seconds: float, each: float, piece: bytes) -> Iterator[bytes]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield piece
        time.sleep(each)


def _sleep(handler: BaseHTTPRequestHandler, seconds: float) -> None:
    """Until then or until the other side leaves."""
    handler.connection.settimeout(seconds)
    try:
        handler.connection.recv(1)
    except OSError:
        return
