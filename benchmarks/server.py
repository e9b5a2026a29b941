"""An endpoint in a process of its own that answers at once from a script, and keeps the time.

A loop's own cost of a turn is what passes between the end of an answer and the next request's
last byte: the same clock for every loop, and none of them shares its interpreter.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import httpx2
import uvicorn

Call = tuple[str, dict[str, Any]]

MODEL = "scripted"
START_SECONDS = 30.0
CHARS_A_TOKEN = 4


def bash(command: str, tool: str = "execute_bash") -> Call:
    """A turn that runs one command."""
    return tool, {"command": command}


SUBMIT: Call = ("submit", {"summary": "Done."})


@dataclass(frozen=True, slots=True)
class Record:
    """What the endpoint saw: milliseconds between each answer and the next request; the bodies."""

    costs: Sequence[float]
    bodies: Sequence[str]


class Endpoint:
    """The server, in a `with`; `url` is its base URL."""

    def __enter__(self) -> Self:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(64)
            address = "http://{}:{}".format(*listener.getsockname())
            self._server = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.server", str(listener.fileno())],
                pass_fds=[listener.fileno()],
            )
        self.url = f"{address}/v1"
        self._control = httpx2.Client(base_url=address, timeout=START_SECONDS, trust_env=False)
        return self

    def __exit__(self, *exc: object) -> None:
        self._control.close()
        self._server.terminate()
        self._server.wait()

    def script(self, calls: Sequence[Call]) -> None:
        """Say these calls from now on, one a turn, and begin a new record."""
        self._control.put("/script", json=calls).raise_for_status()

    def record(self) -> Record:
        """What came since `script`."""
        return Record(**self._control.get("/record").raise_for_status().json())


@dataclass
class _Script:
    calls: Iterator[Any]
    costs: list[float] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    answered: float | None = None


class _App:
    """The server's side, as an ASGI application."""

    def __init__(self) -> None:
        self._script = _Script(iter(()))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        match scope["method"], scope["path"]:
            case "PUT", "/script":
                self._script = _Script(iter(json.loads(body)))
                await _send(send, 204, "text/plain", b"")
            case "GET", "/record":
                record = {"costs": self._script.costs, "bodies": self._script.bodies}
                await _send(send, 200, "application/json", json.dumps(record).encode())
            case _:
                await self._answer(body, send)

    async def _answer(self, body: bytes, send: Any) -> None:
        arrived, script = time.perf_counter(), self._script
        if script.answered is not None:
            script.costs.append((arrived - script.answered) * 1000)
        script.bodies.append(body.decode())
        call = next(script.calls, None)
        if call is None:
            await _send(send, 400, "application/json", b'{"error": {"message": "no more turns"}}')
        elif json.loads(body).get("stream"):
            await _send(send, 200, "text/event-stream", _events(script, *call))
        else:
            await _send(send, 200, "application/json", _whole(script, *call))
        script.answered = time.perf_counter()


def _events(script: _Script, name: str, arguments: Any) -> bytes:
    """A call as a stream, as endpoints give it that write a call in one piece."""
    head = {"index": 0, **_call(script, name, ""), "type": "function"}
    rest = {"index": 0, "function": {"arguments": json.dumps(arguments)}}
    chunks: list[dict[str, Any]] = [
        {"choices": [_delta({"role": "assistant", "tool_calls": [head]})]},
        {"choices": [_delta({"tool_calls": [rest]})]},
        {"choices": [_delta({}, "tool_calls")]},
        {"choices": [], "usage": _usage(script)},
    ]
    lines = [json.dumps({**_answer(script, "chat.completion.chunk"), **chunk}) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()


def _whole(script: _Script, name: str, arguments: Any) -> bytes:
    """A call as one object."""
    calls = [_call(script, name, json.dumps(arguments))]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    answer = {**_answer(script, "chat.completion"), "choices": [choice], "usage": _usage(script)}
    return json.dumps(answer).encode()


def _usage(script: _Script) -> dict[str, int]:
    asked = len(script.bodies[-1]) // CHARS_A_TOKEN
    return {"prompt_tokens": asked, "completion_tokens": 20, "total_tokens": asked + 20}


def _answer(script: _Script, kind: str) -> dict[str, Any]:
    return {"id": f"answer-{len(script.bodies)}", "object": kind, "created": 0, "model": MODEL}


def _call(script: _Script, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call-{len(script.bodies)}", "type": "function", "function": function}


def _delta(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


async def _send(send: Any, status: int, kind: str, body: bytes) -> None:
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def main() -> None:
    """Serve on the socket whose descriptor is the argument."""
    config = uvicorn.Config(_App(), lifespan="off", log_level="warning", access_log=False)
    listener = socket.socket(fileno=int(sys.argv[1]))
    asyncio.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    main()
