"""Files to take away together, as a zip that is made while it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from studio.artifacts.models import Artifact


def archive_names(artifacts: list[Artifact]) -> Iterator[tuple[str, Artifact]]:
    """A different name for each artifact that stays below the folder where one unpacks it."""
    taken: set[str] = set()
    for item in artifacts:
        parts = [
            part.strip() or "_"
            for part in item.path.replace("\\", "_").replace(":", "_").split("/")
            if part.strip(". ")
        ]
        plain = ["".join(c if c.isprintable() else "_" for c in part) for part in parts]
        path = PurePosixPath(*plain) if plain else PurePosixPath("file")
        name, number = str(path), 2
        while name in taken:
            name, number = str(path.with_stem(f"{path.stem} ({number})")), number + 1
        taken.add(name)
        yield name, item
