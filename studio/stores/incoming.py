"""Bytes on their way into a store."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from agent.store import Blob

PREFIX = ".new-"


class Incoming:
    """Bytes that arrive piece by piece in a file; without `commit` nothing of them stays.

    Raises:
        OSError: the disk is full or gone.
    """

    def __init__(self, folder: Path, keep: Callable[[Path, Blob], None]) -> None:
        """`keep` stores a whole file, which it must leave in its place."""
        folder.mkdir(parents=True, exist_ok=True)
        self._keep = keep
        self._hashed = hashlib.sha256()
        self.size = 0
        # Closed, and so removed, with the request or the run at the latest.
        self.file = tempfile.NamedTemporaryFile(dir=folder, prefix=PREFIX)  # noqa: SIM115

    def __enter__(self) -> Incoming:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def write(self, chunk: bytes) -> None:
        self._hashed.update(chunk)
        self.size += len(chunk)
        self.file.write(chunk)

    @property
    def blob(self) -> Blob:
        """What `commit` would store by now."""
        return Blob(self._hashed.hexdigest(), self.size)

    def commit(self) -> Blob:
        """Store the bytes."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self._keep(Path(self.file.name), self.blob)
        self.close()
        return self.blob

    def close(self) -> None:
        # On a full disk the last bytes may refuse to be written; nobody needs them.
        with contextlib.suppress(OSError):
            self.file.close()


def tidy(folder: Path, before: float) -> None:
    """Remove the files of processes that were killed before this time."""
    for path in folder.glob(f"{PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime < before:
                path.unlink()
