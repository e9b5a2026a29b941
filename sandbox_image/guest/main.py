"""PID 1 of the sandbox: does what the host asks, one thing at a time, and watches the rest."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator

from sandbox_image.guest import archive, files, processes
from sandbox_image.guest.protocol import (
    CHUNK,
    MAX_COMMAND,
    PROTOCOL,
    Kind,
    ProtocolError,
    unpack_json,
)
from sandbox_image.guest.shell import Shell
from sandbox_image.guest.watch import Watcher
from sandbox_image.guest.wire import HostGone, Wire

HEAD_BYTES, TAIL_BYTES = 2 << 20, 256 << 10
PIPEFULS = 8


class Output:
    """What the running command prints: the first bytes at once, of the rest only the last."""

    def __init__(self, wire: Wire, request: int) -> None:
        self._wire = wire
        self._request = request
        self._room = HEAD_BYTES
        self._tail = b""
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Pass on or keep `data`."""
        if self._room:
            self._wire.send(Kind.OUT, self._request, data[: self._room])
            data, self._room = data[self._room :], max(0, self._room - len(data))
        if data:
            kept = self._tail + data
            self._tail = kept[-TAIL_BYTES:]
            self._dropped += len(kept) - len(self._tail)

    def close(self) -> None:
        """Pass on the last bytes, with a word about those left out."""
        if self._dropped:
            note = f"\n[… {self._dropped} bytes of output left out …]\n".encode()
            self._wire.send(Kind.OUT, self._request, note)
        if self._tail:
            self._wire.send(Kind.OUT, self._request, self._tail)


class Guest:
    """The loop; `serve` returns when the host goes away."""

    def __init__(self, wire: Wire) -> None:
        for folder in ("input", "output"):
            os.makedirs(os.path.join(files.ROOT, folder), exist_ok=True)
        scratch = os.path.join("/tmp", f".guest-{os.urandom(8).hex()}")
        os.mkdir(scratch, 0o700)
        self.wire = wire
        self.watcher = Watcher(os.path.join(files.ROOT, "output"))
        self.wakeup, wakeup_writer = os.pipe()
        os.set_blocking(self.wakeup, False)
        os.set_blocking(wakeup_writer, False)
        signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.shell = Shell(files.ROOT, scratch)
        self.poll = select.epoll()
        for descriptor in (wire.source, self.wakeup, self.watcher.descriptor, self.shell.output):
            self.poll.register(descriptor, select.EPOLLIN)
        self.poll.register(self.shell.status, select.EPOLLIN)
        self.request = 0
        self.deadline = 0.0
        self.output = Output(wire, 0)
        self._unread: Iterator[bytes] = iter(())

    def serve(self) -> None:
        """Work until the host closes the stream."""
        self.wire.say(Kind.READY, 0, protocol=PROTOCOL, pid=os.getpid())
        while True:
            ready = {fd for fd, _ in self.poll.poll(self._patience())}
            if self.watcher.descriptor in ready:
                self.watcher.take()
            if self.shell.output in ready:
                self._forward()
            if self.wakeup in ready:
                self._bury()
            if self.request and self.shell.status in ready:
                self._report_exit()
            if self.request and time.monotonic() >= self.deadline:
                self._interrupt(timed_out=True)
            for notice in self.watcher.settled():
                self.wire.say(Kind.NOTICE, 0, **notice)
            if self.wire.source in ready:
                self._answer()
                while self.wire.waiting():
                    self._answer()

    def _patience(self) -> float | None:
        waits = [wait for wait in (self.watcher.wait(),) if wait is not None]
        if self.request:
            waits.append(max(0.0, self.deadline - time.monotonic()))
        return min(waits) if waits else None

    def _forward(self, *, everything: bool = False) -> None:
        """Pass on what lies in the output pipe: one read, or as much as a pipe can hold."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(PIPEFULS if everything else 1):
                data = os.read(self.shell.output, CHUNK)
                if self.request:
                    self.output.add(data)
                else:
                    self.wire.send(Kind.OUT, 0, data)

    def _bury(self) -> None:
        """Collect the dead; when the shell is among them, start another."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.wakeup, 4096)
        ended = processes.reap().get(self.shell.pid)
        if ended is not None:
            reported = self.shell.finished()
            self._renew_shell()
            self._end(ended if reported is None else reported, restarted=True)

    def _renew_shell(self) -> None:
        self.poll.unregister(self.shell.status)
        self.shell.close()
        self.shell.start()
        self.poll.register(self.shell.status, select.EPOLLIN)

    def _report_exit(self) -> None:
        code = self.shell.finished()
        if code is not None:
            self._end(code)

    def _interrupt(self, *, timed_out: bool) -> None:
        kept = self.shell.interrupt()
        if not kept:
            processes.reap()
            self._renew_shell()
        self._end(124 if timed_out else 130, timed_out=timed_out, restarted=not kept)

    def _end(self, code: int, *, timed_out: bool = False, restarted: bool = False) -> None:
        if not self.request:
            return
        self._forward(everything=True)
        self.output.close()
        for notice in self.watcher.settle():
            self.wire.say(Kind.NOTICE, 0, **notice)
        self.wire.say(
            Kind.EXIT, self.request, code=code, timed_out=timed_out, shell_restarted=restarted
        )
        self.request = 0

    def _answer(self) -> None:
        """Do the next thing the host asks."""
        kind, request, payload = self.wire.receive()
        if kind is Kind.RUN:
            asked = unpack_json(payload[:4096].partition(b"\n")[0])
            command = payload.partition(b"\n")[2]
            if self.request or len(command) > MAX_COMMAND:
                raise ProtocolError("a command that cannot be taken")
            self._forward(everything=True)
            self.request, self.output = request, Output(self.wire, request)
            self.deadline = time.monotonic() + float(asked["timeout"])
            self.shell.submit(command.decode("utf-8", "surrogateescape"))
            return
        if kind is Kind.KILL:
            if self.request:
                self._interrupt(timed_out=False)
            return
        asked = unpack_json(payload)
        try:
            self.wire.say(Kind.DONE, request, **self._do(kind, request, asked))
        except files.Refused as refused:
            for _ in self._unread:
                pass
            changed = isinstance(refused, files.Changed)
            self.wire.say(Kind.ERROR, request, message=str(refused), changed=changed)

    def _do(self, kind: Kind, request: int, asked: dict[str, object]) -> dict[str, object]:
        """Everything that is not a command; what it answers."""
        self._unread = self.wire.incoming() if kind in (Kind.WRITE, Kind.RESTORE) else iter(())
        path = str(asked.get("path", ""))
        if kind is Kind.READ:
            for data in files.read(path, int(str(asked["limit"]))):
                self.wire.send(Kind.DATA, request, data)
            return {}
        if kind is Kind.WRITE:
            mode = 0o444 if asked["read_only"] else files.mode_of(path) | 0o600
            return {"size": files.write(path, self._unread, mode)}
        if kind is Kind.LIST:
            return {"entries": files.listing(path)}
        if kind is Kind.SETTLE:
            self.watcher.finish()
            for notice in self.watcher.settle():
                self.wire.say(Kind.NOTICE, 0, **notice)
            return {}
        if kind is Kind.SAVE:
            archive.save(lambda data: self.wire.send(Kind.DATA, request, data))
            return {}
        if kind is Kind.RESTORE:
            archive.restore(self._unread)
            for _ in self._unread:
                pass
            return {}
        raise ProtocolError(f"{kind.name} is not a question")


def main() -> None:
    """Serve over standard input and output until the host goes away."""
    processes.hide()
    os.umask(0o022)
    with contextlib.suppress(HostGone):
        Guest(Wire(0, 1)).serve()
