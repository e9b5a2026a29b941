"""Doubles that are scripted: a model, a sandbox in memory, an endpoint on this machine."""

from __future__ import annotations

import hashlib
import json
import shlex
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any, Self

from agent.errors import ModelUnavailable, ToolError
from agent.events import Resources, ToolCall
from agent.models import Delta, Message, Reply
from agent.sandbox import (
    OUTPUT,
    Entry,
    Exited,
    Notice,
    Printed,
    Removed,
    Settled,
)
from agent.sandbox.confinement import WORKSPACE, Confinement


def call(name: str, id: str = "", **arguments: Any) -> ToolCall:
    """A tool call as a model writes it."""
    return ToolCall(id, name, json.dumps(arguments, ensure_ascii=False))


def bash(command: str, **arguments: Any) -> Reply:
    """A turn that runs one command."""
    return Reply(calls=(call("execute_bash", command=command, **arguments),))


def submit(summary: str = "") -> Reply:
    """A turn that ends the run."""
    return Reply(calls=(call("submit", summary=summary),))


class ScriptedModel:
    """A `Model` that says its replies one after the other; `asked` keeps what it was told."""

    def __init__(self, replies: Sequence[Reply | Exception], name: str = "scripted") -> None:
        self.name = name
        self.asked: list[list[Message]] = []
        self._replies = iter(replies)

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        self.asked.append(list(messages))
        reply = next(self._replies, None)
        if reply is None:
            raise ModelUnavailable("The script has no further reply.")
        if isinstance(reply, Exception):
            raise reply
        yield Delta(reply.text)
        yield reply


class MemorySandbox:
    """A `Sandbox` without a computer: files in a dictionary, and a shell that knows a few words.

    It runs `echo WORDS [> FILE]`, `cat FILE`, `rm FILE`, `exit N`, `sleep SECONDS` (until its time
    is out or its iterator closed, at once), `true` and `false`, joined by `;`.
    """

    name = "memory"
    image = "memory"
    confinement = Confinement()

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.running = False
        self._reported: dict[str, str] = {}

    def __enter__(self) -> Self:
        self.running = True
        return self

    def __exit__(self, *exc: object) -> None:
        self.running = False

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        if "\0" in command:
            raise ToolError("The command has a NUL byte in it, which no shell can take.")
        code = 0
        for step in command.split(";"):
            match shlex.split(step):
                case ["echo", *words, ">", path]:
                    self.files[_absolute(path)] = (" ".join(words) + "\n").encode()
                case ["echo", *words]:
                    yield Printed((" ".join(words) + "\n").encode())
                case ["cat", path]:
                    yield Printed(self.files[_absolute(path)])
                case ["rm", path]:
                    del self.files[_absolute(path)]
                case ["exit", status]:
                    yield Exited(int(status), shell_restarted=True)
                    return
                case ["sleep", seconds]:
                    yield None
                    if float(seconds) > timeout:
                        yield Exited(124, timed_out=True)
                        return
                case ["true"]:
                    code = 0
                case ["false"]:
                    code = 1
                case words:
                    yield Printed(f"bash: {words[0]}: command not found\n".encode())
                    code = 127
        yield Exited(code)

    def notices(self) -> list[Notice]:
        found: list[Notice] = []
        there = {path: data for path, data in self.files.items() if path.startswith(OUTPUT + "/")}
        for path, data in sorted(there.items()):
            digest = hashlib.sha256(data).hexdigest()
            if self._reported.get(path) != digest:
                self._reported[path] = digest
                found.append(Settled(path[len(OUTPUT) + 1 :], len(data)))
        for path in sorted(set(self._reported) - set(there)):
            del self._reported[path]
            found.append(Removed(path[len(OUTPUT) + 1 :]))
        return found

    def settle(self) -> list[Notice]:
        return self.notices()

    def read(self, path: str, limit: int) -> bytes:
        return self._file(path)[:limit]

    def stream(self, path: str, limit: int) -> Iterator[bytes]:
        data = self._file(path)
        if len(data) > limit:
            raise ToolError(f"That is more than the limit of {limit} bytes.")
        yield data

    def write(self, path: str, chunks: Iterable[bytes], *, read_only: bool = False) -> int:
        target = _absolute(path)
        if self._is_folder(target):
            raise ToolError(f"{path} is a folder")
        self.files[target] = b"".join(chunks)
        return len(self.files[target])

    def remove(self, path: str) -> None:
        self._file(path)
        del self.files[_absolute(path)]

    def usage(self) -> Resources:
        return Resources(disk=sum(map(len, self.files.values())))

    def list(self, path: str) -> list[Entry]:
        root = _absolute(path)
        if not self._is_folder(root):
            raise ToolError(f"{path} does not exist")
        entries = {}
        for name, data in self.files.items():
            if name.startswith(root + "/"):
                parts = name[len(root) + 1 :].split("/")
                for depth in range(1, min(len(parts), 2) + 1):
                    label = "/".join([root, *parts[:depth]])
                    is_dir = depth < len(parts)
                    entries[label] = Entry(label, 0 if is_dir else len(data), is_dir)
        return [entries[label] for label in sorted(entries)]

    def save(self, limit: int) -> Iterator[bytes]:
        data = json.dumps({path: data.hex() for path, data in self.files.items()}).encode()
        if len(data) > limit:
            raise ToolError(f"That is more than the limit of {limit} bytes.")
        yield data

    def restore(self, chunks: Iterable[bytes]) -> None:
        try:
            saved = json.loads(b"".join(chunks))
        except ValueError as error:
            raise ToolError("the saved workspace cannot be unpacked") from error
        self.files.update({path: bytes.fromhex(data) for path, data in saved.items()})

    def _file(self, path: str) -> bytes:
        target = _absolute(path)
        if self._is_folder(target):
            raise ToolError(f"{path} is a folder")
        if target not in self.files:
            raise ToolError(f"{path} does not exist")
        return self.files[target]

    def _is_folder(self, path: str) -> bool:
        always = {WORKSPACE, f"{WORKSPACE}/input", OUTPUT}
        return path in always or any(name.startswith(path + "/") for name in self.files)


def _absolute(path: str) -> str:
    parts: list[str] = []
    for part in PurePosixPath(WORKSPACE, path).parts[1:]:
        parts = parts[:-1] if part == ".." else [*parts, part]
    absolute = "/" + "/".join(parts)
    if absolute != WORKSPACE and not absolute.startswith(WORKSPACE + "/"):
        raise ToolError(f"{path} is outside {WORKSPACE}")
    return absolute


Answer = Reply | tuple[int, Mapping[str, Any]] | Callable[[BaseHTTPRequestHandler], None]


class ScriptedEndpoint:
    """An OpenAI-compatible server on a free port of 127.0.0.1, in a `with`.

    Its answers are given one after the other: a `Reply` is streamed in small pieces, a pair of
    status and body is an error, a function does what it likes. `requests` keeps what was asked.
    """

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        waiting = iter(answers)
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
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
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
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
