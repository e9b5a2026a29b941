"""Processes that live and die together: started in order, watched, stopped last first."""

import asyncio
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Self

from rich.console import Console, RenderableType
from rich.text import Text

LINE_BYTES = 64 * 1024
LOG_BYTES = 5_000_000


class Terminal(Console):
    """A console that falls silent once nobody reads it any more: what runs goes on."""

    def say(self, text: RenderableType) -> None:
        try:
            self.print(text, soft_wrap=True, highlight=False)
        except OSError:
            self.quiet = True

    def on_broken_pipe(self) -> None:
        self.quiet = True


@dataclass(frozen=True)
class Ended:
    """A process that is no more; `code` is negative when a signal ended it."""

    name: str
    code: int


@dataclass
class Member:
    name: str
    grace: float
    process: asyncio.subprocess.Process
    ended: asyncio.Task[int]
    relay: asyncio.Task[None]

    async def stop(self) -> None:
        """Ends the process and all it started: kindly, and after `grace` seconds for certain."""
        self.signal(signal.SIGTERM)
        await asyncio.wait([self.ended], timeout=self.grace)
        self.signal(signal.SIGKILL)
        await self.ended
        await asyncio.wait([self.relay], timeout=1)
        self.relay.cancel()

    def signal(self, number: signal.Signals) -> None:
        # The process leads a group of its own, which outlives it when it leaves children behind.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class Supervisor:
    """Starts processes and relays what they print, to the terminal with their names and to files.

    `async with` stops all of them on leaving, last started first. Should the supervisor itself be
    killed, the kernel sends them SIGTERM.
    """

    def __init__(self, logs: Path, terminal: Terminal) -> None:
        self.logs = logs
        self._terminal = terminal
        self._members: list[Member] = []

    async def __aenter__(self) -> Self:
        self.logs.mkdir(parents=True, exist_ok=True)
        return self

    async def __aexit__(self, *exception: object) -> None:
        while self._members:
            await self._members.pop().stop()

    async def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        colour: str,
        grace: float,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Starts `command`; when stopped it gets `grace` seconds to end by itself.

        Raises:
            OSError: there is no such program.
        """
        # A pipe of our own: asyncio's tells of an exit only when nobody holds its other end any
        # more, and a process may leave children behind that do.
        reading, writing = os.pipe()
        output = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb")
        )
        try:
            process = await asyncio.create_subprocess_exec(
                *("setpriv", "--pdeathsig", "TERM", "--", *command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                env=env,
                # Ctrl-C in the terminal must reach the supervisor only: it knows the order.
                start_new_session=True,
            )
        finally:
            os.close(writing)
        ended = asyncio.create_task(process.wait())
        relay = asyncio.create_task(self._relay(name, colour, output))
        self._members.append(Member(name, grace, process, ended, relay))

    def ended(self) -> Ended | None:
        """The first of the processes, as they were started, that has ended."""
        for member in self._members:
            if member.ended.done():
                return Ended(member.name, member.ended.result())
        return None

    async def first_end(self) -> Ended:
        """Waits until one of the processes has ended."""
        while (ended := self.ended()) is None:
            await asyncio.wait(
                [member.ended for member in self._members], return_when=asyncio.FIRST_COMPLETED
            )
        return ended

    async def _relay(self, name: str, colour: str, output: asyncio.StreamReader) -> None:
        log = RotatingFileHandler(
            self.logs / f"{name}.log", maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8"
        )
        rest = b""
        try:
            while chunk := await output.read(LINE_BYTES):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) >= LINE_BYTES:
                    lines, rest = [*lines, rest], b""
                for line in lines:
                    self._line(log, name, colour, line)
            if rest:
                self._line(log, name, colour, rest)
        finally:
            log.close()

    def _line(self, log: logging.Handler, name: str, colour: str, raw: bytes) -> None:
        line = raw.decode(errors="replace").rstrip()
        log.emit(logging.makeLogRecord({"msg": line}))
        self._terminal.say(Text(f"{name:>9} │ ", style=colour).append(Text.from_ansi(line)))
