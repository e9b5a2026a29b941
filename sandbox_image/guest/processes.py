"""Processes of the container, seen and ended from PID 1."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterable, Iterator

PR_SET_DUMPABLE = 4
TICKS = os.sysconf("SC_CLK_TCK")
# Kept open, because it is looked at for every command.
LOADAVG = os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC)

Moment = tuple[int, int]


def hide() -> None:
    """Keep this process's memory and descriptors from processes of the same user."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def now() -> Moment:
    """This moment as the kernel notes it of a process: clock tick, and the last number given."""
    last = int(os.pread(LOADAVG, 128, 0).split()[-1])
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS), last


def alive(since: Moment = (0, 0)) -> list[int]:
    """The processes started after a moment, without this one and zombies."""
    return [pid for pid, started in _all() if started > since[0] or (started, pid) > since]


def _all() -> Iterator[tuple[int, int]]:
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb", buffering=0) as file:
            fields = file.read().rpartition(b")")[2].split()
            if fields[0] != b"Z":
                yield int(name), int(fields[19])


def signal_all(pids: Iterable[int], number: int) -> None:
    """Send a signal to processes, some of which may be gone by now."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


@contextlib.contextmanager
def frozen() -> Iterator[None]:
    """Nothing but this process runs inside the `with`."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGCONT)


def end_all(since: Moment, spared: Collection[int]) -> None:
    """End what was started after a moment, however fast it multiplies."""
    with frozen():
        signal_all((pid for pid in alive(since) if pid not in spared), signal.SIGKILL)


def reap() -> dict[int, int]:
    """Collect children that ended; their pids and exit codes (128+n for a signal)."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        code = os.waitstatus_to_exitcode(status)
        ended[pid] = 128 - code if code < 0 else code
