"""Where the studio keeps bytes: one store for uploads, artifacts and workspaces."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from django.conf import settings

from agent.store import Blob, DirectoryStore


def store() -> DirectoryStore:
    return DirectoryStore(settings.MEDIA)


class Incoming:
    """Bytes that arrive piece by piece; without `commit` nothing of them stays.

    Raises:
        OSError: the disk is full or gone.
    """

    def __init__(self) -> None:
        self.hashed = hashlib.sha256()
        self.size = 0
        # Closed, and so removed, with the request at the latest.
        self.file = tempfile.NamedTemporaryFile(dir=settings.MEDIA, prefix=".new-")  # noqa: SIM115

    def write(self, chunk: bytes) -> None:
        self.hashed.update(chunk)
        self.size += len(chunk)
        self.file.write(chunk)

    def commit(self) -> Blob:
        """Keep the bytes under their hash, with the time of now if they were there already."""
        self.file.flush()
        os.fsync(self.file.fileno())
        digest = self.hashed.hexdigest()
        target = store().path(digest)
        target.parent.mkdir(exist_ok=True)
        os.fchmod(self.file.fileno(), 0o644)
        whole = Path(f"{self.file.name}.whole")
        os.link(self.file.name, whole)
        whole.replace(target)
        self.close()
        return Blob(digest, self.size)

    def close(self) -> None:
        self.file.close()
