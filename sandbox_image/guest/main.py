"""PID 1 of the sandbox: does what the host asks, one thing at a time, and watches the rest."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator

from sandbox_image.guest import archive, files, processes
from sandbox_image.guest.cgroup import Accounts
from sandbox_image.guest.glimpse import Glimpses
from sandbox_image.guest.output import Output
from sandbox_image.guest.protocol import (
    MAX_COMMAND,
    PROTOCOL,
    Kind,
    ProtocolError,
    unpack_json,
)
from sandbox_image.guest.shell import Shell
from sandbox_image.guest.watch import Watcher
from sandbox_image.guest.wire import HostGone, Wire

SCRATCH = "/run/guest"
NAMES = "/opt/guest/names"
LOOK_SECONDS = 1.0
FULL_BYTES = 1 << 16
# As many commands may have background jobs that still print; of more, the first are cut off.
OUTPUTS = 256


class Guest:
    """The loop; `serve` returns when the host goes away."""

    def __init__(self, wire: Wire) -> None:
        for folder in ("input", "output"):
            os.makedirs(os.path.join(files.ROOT, folder), exist_ok=True)
        self.wire = wire
        self.watcher = Watcher(os.path.join(files.ROOT, "output"))
        self.glimpses = Glimpses()
        self.accounts = Accounts()
        self.wakeup, wakeup_writer = os.pipe()
        os.set_blocking(self.wakeup, False)
        os.set_blocking(wakeup_writer, False)
        signal.set_wakeup_fd(wakeup_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.shell = Shell(files.ROOT, SCRATCH)
        self.poll = select.epoll()
        for descriptor in (wire.source, self.wakeup, self.watcher.descriptor, self.shell.status):
            self.poll.register(descriptor, select.EPOLLIN)
        self.request = 0
        self.deadline = self.look_at = 0.0
        self.outputs: dict[int, Output] = {}
        self.running: Output | None = None
        self.kills, self.refusals, self.crowded_at = 0, 0, 0
        self._unread: Iterator[bytes] = iter(())

    def serve(self) -> None:
        """Work until the host closes the stream."""
        self._warm_up()
        self.wire.say(Kind.READY, 0, protocol=PROTOCOL, pid=os.getpid())
        while True:
            ready = {fd for fd, _ in self.poll.poll(self._patience())}
            if self.watcher.descriptor in ready:
                self.watcher.take()
            for output in [self.outputs[fd] for fd in ready & self.outputs.keys()]:
                self._forward(output)
            if self.wakeup in ready:
                self._bury()
            if self.request and self.shell.status in ready:
                self._report_exit()
            if self.request and time.monotonic() >= self.look_at:
                self._look()
            for notice in self.watcher.settled():
                self.wire.say(Kind.NOTICE, 0, **notice)
            if self.wire.source in ready:
                self._answer()
                while self.wire.waiting():
                    self._answer()

    def _warm_up(self) -> None:
        """Run nothing once: the shell answers before the host hears of it, and faster then."""
        output = self.shell.submit(":")
        while self.shell.finished() is None:
            select.select([self.shell.status], [], [])
        os.close(output)
        self.shell.prepare()

    def _patience(self) -> float | None:
        waits = [wait for wait in (self.watcher.wait(),) if wait is not None]
        if self.request:
            waits.append(max(0.0, self.look_at - time.monotonic()))
        return min(waits) if waits else None

    def _look(self) -> None:
        """End a command whose time is over, and a crowd of processes that lasts."""
        now = time.monotonic()
        if now >= self.deadline:
            self._interrupt(timed_out=True)
            return
        self.look_at = min(self.deadline, now + LOOK_SECONDS)
        refused = self.accounts.refusals.read()
        if self.accounts.crowded() and refused > self.crowded_at > self.refusals:
            self.shell.clear()
        self.crowded_at = refused

    def _run(self, request: int, command: str, timeout: float) -> None:
        if self.accounts.refusals.read() > self.refusals:
            self.shell.clear()
        self.request = request
        self.running = Output(self.wire, request, self.shell.submit(command))
        self.outputs[self.running.descriptor] = self.running
        self.poll.register(self.running.descriptor, select.EPOLLIN)
        if len(self.outputs) > OUTPUTS:
            self._close(next(iter(self.outputs.values())))
        self.deadline = time.monotonic() + timeout
        self.look_at = min(self.deadline, time.monotonic() + LOOK_SECONDS)

    def _forward(self, output: Output, *, everything: bool = False) -> None:
        if not output.forward(everything=everything):
            self._close(output)

    def _close(self, output: Output) -> None:
        if self.outputs.pop(output.descriptor, None):
            self.poll.unregister(output.descriptor)
            output.close()

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
        if code is None:
            return
        useless = self.shell.restricted
        if useless:
            os.kill(self.shell.pid, signal.SIGKILL)
            self._renew_shell()
        self._end(code, restarted=useless)

    def _interrupt(self, *, timed_out: bool) -> None:
        kept = self.shell.interrupt()
        if not kept:
            processes.reap()
            self._renew_shell()
        self._end(124 if timed_out else 130, timed_out=timed_out, restarted=not kept)

    def _end(self, code: int, *, timed_out: bool = False, restarted: bool = False) -> None:
        if not self.request or self.running is None:
            return
        if self.outputs.get(self.running.descriptor) is self.running:
            self._forward(self.running, everything=True)
        log = self.running.finish()
        for notice in self.watcher.changed():
            self.wire.say(Kind.NOTICE, 0, **notice)
        self.wire.say(
            Kind.EXIT,
            self.request,
            code=code,
            timed_out=timed_out,
            shell_restarted=restarted,
            reached=self._reached(),
            log=log,
        )
        self.request, self.running = 0, None
        self.shell.prepare()

    def _reached(self) -> list[str]:
        """The limits met since the last command; who met that of processes is ended."""
        kills, refusals = self.accounts.kills.read(), self.accounts.refusals.read()
        reached = [folder for folder in (files.ROOT, "/tmp") if _full(folder)]
        if kills > self.kills:
            reached.append("memory")
        if refusals > self.refusals:
            reached.append("processes")
            self.shell.clear()
        self.kills, self.refusals, self.crowded_at = kills, refusals, refusals
        return reached

    def _answer(self) -> None:
        """Do the next thing the host asks."""
        kind, request, payload = self.wire.receive()
        if kind is Kind.RUN:
            asked = unpack_json(payload[:4096].partition(b"\n")[0])
            command = payload.partition(b"\n")[2]
            if self.request or len(command) > MAX_COMMAND:
                raise ProtocolError("a command that cannot be taken")
            self._run(request, command.decode("utf-8", "surrogateescape"), float(asked["timeout"]))
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
        if kind is Kind.GLIMPSE:
            media, limit = str(asked["media"]), int(str(asked["limit"]))
            for data in self.glimpses.newest(media, limit, self.watcher.unfinished):
                self.wire.send(Kind.DATA, request, data)
            return {}
        if kind is Kind.WRITE:
            mode = 0o444 if asked["read_only"] else files.mode_of(path) | 0o600
            return {"size": files.write(path, self._unread, mode)}
        if kind is Kind.REMOVE:
            files.remove(path)
            return {}
        if kind is Kind.LIST:
            return {"entries": files.listing(path)}
        if kind is Kind.SETTLE:
            self.watcher.finish()
            for notice in self.watcher.settle():
                self.wire.say(Kind.NOTICE, 0, **notice)
            return {}
        if kind is Kind.USAGE:
            room = os.statvfs(files.ROOT)
            return {
                "cpu_seconds": self.accounts.cpu_seconds(),
                "peak_memory": self.accounts.peak_memory(),
                "disk": (room.f_blocks - room.f_bfree) * room.f_frsize,
            }
        if kind is Kind.SAVE:
            limit = int(str(asked["limit"]))
            archive.save(lambda data: self.wire.send(Kind.DATA, request, data), limit)
            return {}
        if kind is Kind.RESTORE:
            archive.restore(self._unread)
            for _ in self._unread:
                pass
            return {}
        raise ProtocolError(f"{kind.name} is not a question")


def _full(folder: str) -> bool:
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize < FULL_BYTES or room.f_favail == 0


def name_user() -> None:
    """Give this sandbox's user the name that programs ask for: /etc/passwd leads here."""
    user, group = os.getuid(), os.getgid()
    lines = {
        "passwd": f"user:x:{user}:{group}::{files.ROOT}:/bin/bash\n",
        "group": f"user:x:{group}:\n",
    }
    for name, line in lines.items():
        with open(f"{NAMES}/{name}", encoding="utf-8") as base:
            text = base.read() + line
        with open(f"{SCRATCH}/{name}", "w", encoding="utf-8") as file:
            file.write(text)


def main() -> None:
    """Serve over standard input and output until the host goes away."""
    processes.hide()
    os.umask(0o022)
    if os.getuid():
        name_user()
    with contextlib.suppress(HostGone):
        Guest(Wire(0, 1)).serve()
