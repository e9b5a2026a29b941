"""What shows a file where there is no room for it, one module for each kind.

Each has `show(subject)`, which yields parts of what `inspect` tells as they are ready (see
docs/inspection.md) and raises Unreadable when there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from checks import Unreadable

MODULES = {
    "image": "still",
    "svg": "drawing",
    "html": "page",
    "video": "film",
    "audio": "sound",
    "midi": "music",
    "pdf": "paper",
    "model": "solid",
    "markdown": "text",
    "csv": "table",
    "json": "text",
    "text": "text",
}


@dataclass(frozen=True)
class Subject:
    """A file to be shown, and the folder for what shows it."""

    path: Path
    media_type: str
    into: Path
    seconds: float


def show(subject: Subject, kind: str) -> Iterator[dict]:
    """The parts that there are; none for a kind that nothing here can show."""
    # Together they would take long to import.
    if kind in MODULES:
        yield from import_module(f"previews.{MODULES[kind]}").show(subject)


__all__ = ["Subject", "Unreadable", "show"]
