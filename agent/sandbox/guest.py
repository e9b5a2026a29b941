"""A sandbox that is spoken to through its guest, wherever the guest runs."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

from agent.errors import FileChanged, SandboxUnavailable, ToolError
from agent.events import Resources
from agent.sandbox import Entry, Exited, Media, Notice, Printed, Removed, Seen, Settled, Skipped
from agent.sandbox.channel import Channel, Frame, field
from sandbox_image.guest.protocol import (
    CHUNK,
    MAX_COMMAND,
    PROTOCOL,
    Kind,
    ProtocolError,
    unpack_json,
)

HEART_BEAT = 0.4
GRACE = 15.0
ANSWER_SECONDS = 120.0
NOTICES, SAID, BACKGROUND = 10_000, 100_000, 64
PATH_CHARS, REACHED = 4096, 4
SURPLUS = 1 << 20
GLIMPSE_HEAD = 1 << 16


class GuestSandbox:
    """The methods of `Sandbox` over a `Channel`; a subclass opens the channel and closes it."""

    def __init__(self) -> None:
        self._open_channel: Channel | None = None
        self._request = 0
        self._command = 0
        self._said: deque[Frame] = deque()
        self._notices: list[Notice] = []
        self._background: deque[bytes] = deque(maxlen=BACKGROUND)

    @property
    def _channel(self) -> Channel:
        if self._open_channel is None:
            raise SandboxUnavailable("The sandbox has not been started.")
        return self._open_channel

    def open(self, channel: Channel) -> None:
        """Speak to the guest at the other end of `channel`, which has greeted."""
        self._open_channel = channel

    def close(self) -> None:
        """Speak to nobody any more."""
        self._open_channel = None

    def pulse(self, seconds: float) -> None:
        """Ask the guest whether it is there.

        Raises:
            SandboxUnavailable: it has ended, or does not answer within `seconds`.
        """
        number = self._ask(Kind.SETTLE, b"{}")
        _fields_or_refusal(self._answer(number, seconds))

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        text = command.encode("utf-8", "surrogateescape")
        if b"\0" in text:
            raise ToolError("The command has a NUL byte in it, which no shell can take.")
        if len(text) > MAX_COMMAND:
            raise ToolError("The command is over 10 MB. Write a file with str_replace_editor.")
        header = json.dumps({"timeout": timeout}).encode()
        number = self._command = self._ask(Kind.RUN, header + b"\n" + text)
        self._said.clear()
        deadline = time.monotonic() + timeout + GRACE
        ended = False
        try:
            while not ended:
                frame = self._next(number, HEART_BEAT, until_noticed=True)
                ended = frame is not None and frame[0] is not Kind.OUT
                while self._background:
                    yield Printed(self._background.popleft(), background=True)
                if frame is None:
                    if time.monotonic() > deadline:
                        raise SandboxUnavailable("The sandbox no longer answers.")
                    yield None
                elif frame[0] is Kind.OUT:
                    yield Printed(frame[2])
                else:
                    yield _exited(_fields(frame))
        except GeneratorExit:
            if not ended and self._open_channel is not None:
                self._kill(number)
            raise

    def notices(self) -> list[Notice]:
        while (frame := self._channel.receive(0)) is not None:
            self._put_aside(frame)
        taken, self._notices = self._notices, []
        return taken

    def settle(self) -> list[Notice]:
        self._call(Kind.SETTLE)
        return self.notices()

    def read(self, path: str, limit: int) -> bytes:
        return b"".join(self._transfer(Kind.READ, limit, {"path": path, "limit": limit}))

    def stream(self, path: str, limit: int) -> Iterator[bytes]:
        return self._transfer(Kind.READ, limit, {"path": path, "limit": limit + 1})

    def write(self, path: str, chunks: Iterable[bytes], *, read_only: bool = False) -> int:
        answer = self._give(Kind.WRITE, chunks, path=path, read_only=read_only)
        return int(field(answer, "size", int))

    def remove(self, path: str) -> None:
        self._call(Kind.REMOVE, path=path)

    def list(self, path: str) -> list[Entry]:
        entries = field(self._call(Kind.LIST, path=path), "entries", list)
        return [
            Entry(
                field(entry, "path", str), field(entry, "size", int), field(entry, "is_dir", bool)
            )
            for entry in entries
            if isinstance(entry, dict)
        ]

    def glimpse(self, media: Media, limit: int) -> Seen | None:
        asked = {"media": media, "limit": limit}
        chunks = self._transfer(Kind.GLIMPSE, limit + GLIMPSE_HEAD, asked)
        head = next(chunks, None)
        if head is None:
            return None
        try:
            fields = _parsed(head)
            return Seen(field(fields, "path", str)[:PATH_CHARS], field(fields, "size", int), chunks)
        except SandboxUnavailable:
            chunks.close()
            raise

    def usage(self) -> Resources:
        counted = self._call(Kind.USAGE)
        return Resources(
            cpu_seconds=round(field(counted, "cpu_seconds", float), 3),
            peak_memory=field(counted, "peak_memory", int),
            disk=field(counted, "disk", int),
            bytes_in=self._channel.sent,
            bytes_out=self._channel.received,
        )

    def save(self, limit: int) -> Iterator[bytes]:
        return self._transfer(Kind.SAVE, limit, {"limit": limit})

    def restore(self, chunks: Iterable[bytes]) -> None:
        self._give(Kind.RESTORE, chunks)

    def _ask(self, kind: Kind, payload: bytes) -> int:
        self._request = self._request % 0xFFFF_FFFF + 1
        self._channel.send(kind, self._request, payload)
        return self._request

    def _next(self, number: int, timeout: float, *, until_noticed: bool = False) -> Frame | None:
        """The next frame of an answer; what else the guest says is put aside.

        None when none came in time, or when something was noticed that should not wait.
        """
        if number == self._command and self._said:
            return self._said.popleft()
        deadline = time.monotonic() + timeout
        while (frame := self._channel.receive(max(0.0, deadline - time.monotonic()))) is not None:
            if frame[1] == number:
                return frame
            self._put_aside(frame)
            if until_noticed and frame[0] is Kind.NOTICE:
                break
        return None

    def _put_aside(self, frame: Frame) -> None:
        """Keep what a command, a background job or the watcher says while we ask for files."""
        if frame[1] and frame[1] == self._command:
            if len(self._said) >= SAID:
                raise SandboxUnavailable("The sandbox sent more than it was asked for.")
            self._said.append(frame)
        elif frame[0] is Kind.NOTICE:
            if len(self._notices) >= NOTICES:
                raise SandboxUnavailable("The sandbox reported too many files.")
            self._notices.append(_notice(_fields(frame)))
        elif frame[0] is Kind.OUT:
            self._background.append(frame[2])

    def _kill(self, number: int) -> None:
        self._channel.send(Kind.KILL, number)
        deadline = time.monotonic() + GRACE
        while (frame := self._next(number, 1.0)) is None or frame[0] is not Kind.EXIT:
            if time.monotonic() > deadline:
                raise SandboxUnavailable("The sandbox did not stop its command.")

    def _transfer(
        self, kind: Kind, limit: int, asked: dict[str, Any]
    ) -> Generator[bytes, None, None]:
        """The bytes of an answer, counted here."""
        number = self._ask(kind, json.dumps(asked).encode())
        total, done = 0, False
        try:
            while True:
                frame = self._answer(number)
                if frame[0] is Kind.DATA:
                    total += len(frame[2])
                    if total > limit:
                        raise ToolError(f"That is more than the limit of {limit} bytes.")
                    yield frame[2]
                    continue
                done = True
                _fields_or_refusal(frame)
                return
        finally:
            # What is already on its way must go before the next answer can come.
            while not done and self._open_channel is not None:
                frame = self._answer(number)
                done = frame[0] is not Kind.DATA
                total += len(frame[2])
                if total > limit + SURPLUS:
                    raise SandboxUnavailable("The sandbox sent more than it was asked for.")

    def _give(self, kind: Kind, chunks: Iterable[bytes], **asked: Any) -> dict[str, Any]:
        number = self._ask(kind, json.dumps(asked).encode())
        try:
            for chunk in chunks:
                for start in range(0, len(chunk), CHUNK):
                    self._channel.send(Kind.DATA, number, chunk[start : start + CHUNK])
        finally:
            self._channel.send(Kind.END, number)
            answer = self._answer(number)
        return _fields_or_refusal(answer)

    def _call(self, kind: Kind, **asked: Any) -> dict[str, Any]:
        number = self._ask(kind, json.dumps(asked).encode())
        return _fields_or_refusal(self._answer(number))

    def _answer(self, number: int, seconds: float = ANSWER_SECONDS) -> Frame:
        frame = self._next(number, seconds)
        if frame is None:
            raise SandboxUnavailable("The sandbox no longer answers.")
        return frame


def greet(channel: Channel, timeout: float) -> None:
    """Wait for a guest's first word and check that it speaks our protocol.

    Raises:
        SandboxUnavailable: it says nothing, or speaks another version.
    """
    frame = channel.receive(timeout)
    if frame is None or frame[0] is not Kind.READY:
        raise SandboxUnavailable(f"The sandbox did not answer within {timeout:.0f} s.")
    spoken = field(_fields(frame), "protocol", int)
    if spoken != PROTOCOL:
        raise SandboxUnavailable(
            f"The sandbox image speaks protocol {spoken}, this program {PROTOCOL}. "
            "Run scripts/build-image to build the right one."
        )


def furnish(channel: Channel, files: Mapping[str, bytes]) -> None:
    """Write files, by path, into the workspace of a guest that has greeted.

    Raises:
        SandboxUnavailable: it cannot take them.
    """
    guest = GuestSandbox()
    guest.open(channel)
    try:
        for path, data in files.items():
            guest.write(path, [data])
    except ToolError as error:
        raise SandboxUnavailable(f"The sandbox could not be set up: {error}") from error


def _fields(frame: Frame) -> dict[str, Any]:
    return _parsed(frame[2])


def _parsed(payload: bytes) -> dict[str, Any]:
    try:
        return unpack_json(payload)
    except ProtocolError as error:
        raise SandboxUnavailable(f"The sandbox's stream broke: {error}") from error


def _fields_or_refusal(frame: Frame) -> dict[str, Any]:
    fields = _fields(frame)
    if frame[0] is Kind.ERROR:
        refusal = FileChanged if fields.get("changed") is True else ToolError
        raise refusal(str(field(fields, "message", str))[:PATH_CHARS])
    if frame[0] is not Kind.DONE:
        raise SandboxUnavailable(f"The sandbox answered {frame[0].name}.")
    return fields


def _exited(fields: dict[str, Any]) -> Exited:
    reached = field(fields, "reached", list)
    return Exited(
        code=field(fields, "code", int),
        timed_out=field(fields, "timed_out", bool),
        shell_restarted=field(fields, "shell_restarted", bool),
        reached=tuple(str(name)[:PATH_CHARS] for name in reached[:REACHED]),
        log=field(fields, "log", str)[:PATH_CHARS],
    )


def _notice(fields: dict[str, Any]) -> Notice:
    path = field(fields, "path", str)[:PATH_CHARS]
    match fields.get("what"):
        case "settled":
            return Settled(path, field(fields, "size", int))
        case "skipped":
            return Skipped(path, field(fields, "why", str)[:PATH_CHARS])
        case "removed":
            return Removed(path)
        case other:
            raise SandboxUnavailable(f"The sandbox reported {other!r}.")
