"""Where produced bytes go: written once, named by their SHA-256."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Blob:
    """`size` bytes in a store, named by `digest` (64 hexadecimal digits)."""

    digest: str
    size: int


class ArtifactStore(Protocol):
    """Keeps bytes under their hash; a blob is there whole or not at all."""

    def put(self, chunks: Iterable[bytes], *, instead_of: str | None = None) -> Blob:
        """Store all chunks.

        A store that counts what somebody's bytes take does not count the blob `instead_of` which
        these are kept: nobody needs it once they are there.

        Raises:
            OSError: the disk is full or gone; nothing is left behind.
        """
        ...

    def open(self, digest: str) -> Iterator[bytes]:
        """The bytes of a blob in chunks of at most 1 MiB.

        Raises:
            FileNotFoundError: there is no such blob.
        """
        ...


def key(digest: str) -> str:
    """The name of a blob below the root of a store: `ab/abcdef…`.

    Raises:
        ValueError: `digest` is not a SHA-256 in hexadecimal.
    """
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise ValueError(f"not a digest: {digest[:80]!r}")
    return f"{digest[:2]}/{digest}"


class DirectoryStore:
    """An `ArtifactStore` in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, digest: str) -> Path:
        """Where a blob is, whether or not it exists.

        Raises:
            ValueError: `digest` is not a SHA-256 in hexadecimal.
        """
        return self.root / key(digest)

    def put(self, chunks: Iterable[bytes], *, instead_of: str | None = None) -> Blob:
        self.root.mkdir(parents=True, exist_ok=True)
        hashed, size = hashlib.sha256(), 0
        handle, name = tempfile.mkstemp(dir=self.root, prefix=".new-")
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks:
                    hashed.update(chunk)
                    size += len(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            target = self.path(hashed.hexdigest())
            target.parent.mkdir(exist_ok=True)
            new.chmod(0o644)
            new.replace(target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        return Blob(hashed.hexdigest(), size)

    def open(self, digest: str) -> Iterator[bytes]:
        with self.path(digest).open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
