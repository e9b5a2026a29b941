"""Names for files where somebody unpacks or saves them, whatever a stranger called them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

# What Windows takes for something else in a name.
RESERVED = str.maketrans(dict.fromkeys('\\:*?"<>|', "_"))


def archive_names(paths: Iterable[str]) -> Iterator[str]:
    """A name for each path that stays below the folder where one unpacks it.

    The names are different also to a disk that takes upper and lower case, or two ways to write
    an accent, for the same; and none is the folder of another.
    """
    files: set[str] = set()
    folders: set[str] = set()
    for path in paths:
        plain, number = plain_name(path), 1
        name = plain
        while True:
            key = PurePosixPath(same(str(name)))
            above = {str(folder) for folder in key.parents[:-1]}
            if str(key) not in files | folders and not above & files:
                break
            number += 1
            name = numbered(plain, number, whole=bool(above & files))
        files.add(str(key))
        folders |= above
        yield str(name)


def plain_name(path: str) -> PurePosixPath:
    parts = [
        part.strip() or "_" for part in path.translate(RESERVED).split("/") if part.strip(". ")
    ]
    plain = ["".join(c if c.isprintable() else "_" for c in part) for part in parts]
    return PurePosixPath(*plain) if plain else PurePosixPath("file")


def same(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def numbered(name: PurePosixPath, number: int, *, whole: bool) -> PurePosixPath:
    """The name with a number: in its first folder if the `whole` path must be another one."""
    if whole:
        return PurePosixPath(f"{name.parts[0]} ({number})", *name.parts[1:])
    return name.with_stem(f"{name.stem} ({number})")
