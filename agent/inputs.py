"""What a run is given besides its request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from agent.store import CHUNK


@dataclass(frozen=True, slots=True)
class Input:
    """A file the user gave: a name to show and a way to read it."""

    name: str
    chunks: Callable[[], Iterable[bytes]]

    @classmethod
    def from_path(cls, path: Path) -> Self:
        """A file of this machine, under its own name."""
        return cls(path.name, partial(_chunks, path))


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier request of the same project and what came of it."""

    prompt: str
    summary: str
    files: tuple[str, ...] = ()


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            yield data
