"""What the kernel counts for this container, in either version of control groups."""

from __future__ import annotations

import os

ROOT = "/sys/fs/cgroup"
# So close to the limit that a command which starts a few helpers meets it.
NEAR = 8


class Counter:
    """A number in one of some files: the first that exists; zero when none does.

    The file stays open, because a look after each command must cost next to nothing.
    """

    def __init__(self, *places: tuple[str, str]) -> None:
        self._key, self._file = b"", -1
        for path, key in places:
            try:
                self._file = os.open(f"{ROOT}/{path}", os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                continue
            self._key = key.encode()
            return

    def read(self) -> int:
        """Its value now."""
        if self._file < 0:
            return 0
        words = os.pread(self._file, 4096, 0).split()
        value = words[words.index(self._key) + 1] if self._key in words else words[0]
        return int(value) if value.isdigit() else 0


class Accounts:
    """The counters of this container."""

    def __init__(self) -> None:
        self.kills = Counter(
            ("memory.events", "oom_kill"), ("memory/memory.oom_control", "oom_kill")
        )
        self.refusals = Counter(("pids.events", "max"), ("pids/pids.events", "max"))
        self._processes = Counter(("pids.current", ""), ("pids/pids.current", ""))
        self._most_processes = Counter(("pids.max", ""), ("pids/pids.max", "")).read()
        self._microseconds = Counter(("cpu.stat", "usage_usec"))
        self._nanoseconds = Counter(("cpuacct/cpuacct.usage", ""))
        self._peak = Counter(("memory.peak", ""), ("memory/memory.max_usage_in_bytes", ""))

    def crowded(self) -> bool:
        """Whether hardly another process can be started."""
        return 0 < self._most_processes <= self._processes.read() + NEAR

    def cpu_seconds(self) -> float:
        """What all processes together have used."""
        return self._microseconds.read() / 1e6 + self._nanoseconds.read() / 1e9

    def peak_memory(self) -> int:
        """The most bytes ever used at once, files in memory included."""
        return self._peak.read()
