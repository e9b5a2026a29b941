"""What a command prints: to the host as it comes, in full into a file when it is much."""

from __future__ import annotations

import contextlib
import os

from sandbox_image.guest import files
from sandbox_image.guest.protocol import CHUNK, Kind
from sandbox_image.guest.wire import Wire

LOGS = ".logs"
KEPT_LOGS, LOG_BYTES = 16, 16 << 20
# Less than what a model is shown at most, so that there is a file whenever something is cut.
MUCH_BYTES, MUCH_LINES = 8_000, 200
HEAD_BYTES, TAIL_BYTES = 2 << 20, 256 << 10
BACKGROUND_BYTES = 64 << 10
PIPEFULS = 8


class Log:
    """All of a command's output, as a file of the workspace once it is much."""

    def __init__(self, number: int) -> None:
        self.path = ""
        self._name = f"{number}.log"
        self._early = bytearray()
        self._lines = self._size = 0
        self._file = -1
        self._closed = False

    def add(self, data: bytes) -> None:
        """Keep `data`, as far as there is room."""
        if self._closed:
            return
        if self._file < 0:
            self._early += data
            self._lines += data.count(b"\n")
            if len(self._early) <= MUCH_BYTES and self._lines <= MUCH_LINES:
                return
            data, self._early = bytes(self._early), bytearray()
        try:
            if self._file < 0:
                self._file = self._open()
                self.path = f"{files.ROOT}/{LOGS}/{self._name}"
            kept = data[: LOG_BYTES - self._size]
            self._size += os.write(self._file, kept)
            if len(kept) < len(data):
                os.write(self._file, b"\n[what came after this was too much to keep]\n")
                self.close()
        except OSError:
            self.path = ""
            self.close()

    def _open(self) -> int:
        with files.folder([LOGS], make=True) as folder:
            logs = [name for name in os.listdir(folder) if name.endswith(".log")]
            logs.sort(key=lambda name: (len(name), name))
            for name in [self._name, *logs[: max(0, len(logs) + 1 - KEPT_LOGS)]]:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            return os.open(self._name, flags, 0o644, dir_fd=folder)

    def close(self) -> None:
        """Keep no more."""
        self._closed = True
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Output:
    """The pipe that a command and its background jobs print into.

    While the command runs its first bytes go to the host at once, and of the rest only the last;
    what its background jobs print afterwards goes there up to a smaller limit.
    """

    def __init__(self, wire: Wire, request: int, descriptor: int) -> None:
        self.descriptor = descriptor
        self._wire = wire
        self._request = request
        self._log = Log(request)
        self._room = HEAD_BYTES
        self._tail = b""
        self._dropped = 0
        self._finished = False

    def forward(self, *, everything: bool = False) -> bool:
        """Pass on one read, or as much as a pipe can hold; False when nobody can write any more."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(PIPEFULS if everything else 1):
                data = os.read(self.descriptor, CHUNK)
                if not data:
                    return False
                self._add(data)
        return True

    def _add(self, data: bytes) -> None:
        self._log.add(data)
        if self._room:
            self._wire.send(Kind.OUT, self._request, data[: self._room])
            data, self._room = data[self._room :], max(0, self._room - len(data))
        if data and not self._finished:
            kept = self._tail + data
            self._tail = kept[-TAIL_BYTES:]
            self._dropped += len(kept) - len(self._tail)

    def finish(self) -> str:
        """The command has ended: pass on its last bytes; the file that has all of it, if any."""
        if self._dropped:
            note = f"\n[… {self._dropped} bytes of output left out …]\n".encode()
            self._wire.send(Kind.OUT, self._request, note)
        if self._tail:
            self._wire.send(Kind.OUT, self._request, self._tail)
        self._tail, self._finished, self._room = b"", True, BACKGROUND_BYTES
        return self._log.path

    def close(self) -> None:
        """Nobody prints into it any more."""
        os.close(self.descriptor)
        self._log.close()
