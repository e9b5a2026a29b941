"""An endpoint on this machine."""

from __future__ import annotations

import contextlib
import functools
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from agent.models import Reply

Answer = Reply | tuple[int, Mapping[str, Any]] | Callable[[BaseHTTPRequestHandler], None]


class ScriptedEndpoint:
    """An OpenAI-compatible server on a free port of 127.0.0.1, in a `with`.

    Its answers are given one after the other: a `Reply` is streamed in small pieces, a pair of
    status and body is an error, a function does what it likes. `requests` keeps what was asked.
    With `keep_alive` several may come over one of the `connections`.
    """

    def __init__(self, answers: Iterable[Answer], *, keep_alive: bool = False) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.connections = 0
        waiting = iter(answers)
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1" if keep_alive else "HTTP/1.0"

            def setup(self) -> None:
                super().setup()
                endpoint.connections += 1

            def handle(self) -> None:
                with contextlib.suppress(ConnectionError):  # Whoever asked may leave.
                    super().handle()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.requests.append(json.loads(body))
                endpoint.keys.append(self.headers.get("Authorization", "").removeprefix("Bearer "))
                match next(waiting, (500, {"error": {"message": "the script is over"}})):
                    case Reply() as reply:
                        _send(self, 200, "text/event-stream", b"".join(_pieces(reply)))
                    case (int() as status, error):
                        _send(self, status, "application/json", json.dumps(error).encode())
                    case function:
                        function(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing: tests read `requests`."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        serve = functools.partial(self._server.serve_forever, poll_interval=0.02)
        self._thread = threading.Thread(target=serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _send(handler: BaseHTTPRequestHandler, status: int, kind: str, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def _pieces(reply: Reply) -> Iterator[bytes]:
    """A reply as server-sent events: text and arguments cut small, usage at the end."""
    for text in _cut(reply.reasoning):
        yield _event({"reasoning_content": text})
    for text in _cut(reply.text):
        yield _event({"content": text})
    for index, wish in enumerate(reply.calls):
        head = {"index": index, "id": wish.id or f"call_{index}", "type": "function"}
        yield _event({"tool_calls": [{**head, "function": {"name": wish.name, "arguments": ""}}]})
        for text in _cut(wish.arguments):
            yield _event({"tool_calls": [{"index": index, "function": {"arguments": text}}]})
    yield _event({}, finish_reason="tool_calls" if reply.calls else "stop")
    usage = {"prompt_tokens": reply.usage.input, "completion_tokens": reply.usage.output}
    yield _line({"choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _cut(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]


def _event(delta: Mapping[str, Any], finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return _line({"choices": [choice]})


def _line(chunk: Mapping[str, Any]) -> bytes:
    whole = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", **chunk}
    return f"data: {json.dumps(whole)}\n\n".encode()
