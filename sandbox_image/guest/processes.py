"""Processes of the container, seen and ended from PID 1."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable

PR_SET_DUMPABLE = 4


def hide() -> None:
    """Keep this process's memory and descriptors from processes of the same user."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def alive() -> set[tuple[int, str]]:
    """All processes but this one and zombies, as (pid, start time)."""
    found = set()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            if fields[0] != "Z":
                found.add((int(name), fields[19]))
    return found


def signal_all(found: Iterable[tuple[int, str]], number: int) -> None:
    """Send a signal to processes, some of which may be gone by now."""
    for pid, _ in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


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
