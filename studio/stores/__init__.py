"""Bytes under their hash, on a disk or in a bucket.

Nothing is deleted at once. What nothing refers to is *set aside*: it can still be read, and a
while later it is deleted if still nothing refers to it, or else brought back. So it does no harm
that bytes are stored before the row that names them, that a row appears for bytes which were there
already, or that two processes sweep at the same time, and nobody has to lock anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agent.store import ArtifactStore
from studio.stores.incoming import Incoming


@dataclass(frozen=True, slots=True)
class Aside:
    """A blob that is set aside; `name` is the store's own, another one each time."""

    digest: str
    name: str


class Store(ArtifactStore, Protocol):
    """An `ArtifactStore` for several processes and machines.

    Every method may raise `OSError` when the disk or the bucket can't be used, and `ValueError`
    for what is not a digest.
    """

    def incoming(self) -> Incoming:
        """A place for bytes that arrive piece by piece."""
        ...

    def size(self, digest: str) -> int | None:
        """How many bytes a blob has; None if there is no such blob."""
        ...

    def part(self, digest: str, start: int, stop: int) -> Iterator[bytes]:
        """The bytes from `start` up to `stop`, at most to the end, in chunks of at most 1 MiB.

        Raises:
            FileNotFoundError: there is no such blob.
        """
        ...

    def path(self, digest: str) -> Path | None:
        """The file on this machine that has the bytes and keeps its name; None if there is none, as
        for what is set aside.
        """
        ...

    def address(
        self, digest: str, *, media_type: str, disposition: str, seconds: int
    ) -> str | None:
        """Where a browser can fetch the bytes for so many seconds, with these headers; None if
        only this process can give them."""
        ...

    def stored(self, before: float) -> Iterator[str]:
        """The blobs stored before this time (seconds since 1970) and not set aside."""
        ...

    def set_aside(self, digest: str) -> None:
        """Take a blob for one that nobody needs; it can still be read. Harmless if it is gone."""
        ...

    def aside(self, before: float) -> Iterator[Aside]:
        """What was set aside before this time."""
        ...

    def bring_back(self, blob: Aside) -> None:
        """Store a blob again that was set aside. Harmless if somebody else did."""
        ...

    def delete(self, blob: Aside) -> None:
        """Delete a blob that was set aside. Harmless if somebody else did."""
        ...

    def tidy(self, before: float) -> None:
        """Remove what was begun before this time and never finished."""
        ...
