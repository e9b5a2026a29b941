"""Many files, a page at a time: each page says where the next one begins.

That is a place among the files, not a number of them, so what is made or removed meanwhile moves
nothing, and the last page costs no more than the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import Self

from django.db.models import Q

from studio.artifacts.models import Artifact, ArtifactQuerySet

EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)
DIGITS = 18


@dataclass(frozen=True, slots=True)
class Place:
    """Behind a file, where files are sorted as `ArtifactQuerySet.shown` sorts them."""

    updated: datetime
    key: int

    @classmethod
    def read(cls, text: str) -> Self | None:
        """From an address; None if it names no place."""
        micros, _, key = text.partition("-")
        if not all(part.isascii() and part.isdecimal() for part in (micros, key)):
            return None
        try:
            updated = EPOCH + int(micros[:DIGITS]) * MICROSECOND
        except OverflowError:
            return None
        # In the last hours that there are it is no day at all in some zones.
        return cls(updated, int(key[:DIGITS])) if updated.year < MAXYEAR else None

    @classmethod
    def of(cls, artifact: Artifact) -> Self:
        return cls(artifact.updated, artifact.pk)

    def __str__(self) -> str:
        return f"{(self.updated - EPOCH) // MICROSECOND}-{self.key}"


@dataclass(frozen=True, slots=True)
class Page:
    """Some files, and the place where the next page begins, if there is one."""

    artifacts: list[Artifact]
    next: Place | None


def behind(artifacts: ArtifactQuerySet, place: Place) -> ArtifactQuerySet:
    """Those that come after a place."""
    older = Q(updated__lt=place.updated) | Q(updated=place.updated, pk__lt=place.key)
    # The first condition alone is what an index can begin at.
    return artifacts.filter(Q(updated__lte=place.updated) & older)


def around(
    artifacts: ArtifactQuerySet, artifact: Artifact, count: int
) -> tuple[list[Artifact], list[Artifact]]:
    """So many files before one and so many after it, in the order of the files."""
    place = Place.of(artifact)
    newer = Q(updated__gt=place.updated) | Q(updated=place.updated, pk__gt=place.key)
    before = artifacts.filter(Q(updated__gte=place.updated) & newer).reverse()[:count]
    return list(before)[::-1], list(behind(artifacts, place)[:count])


def page(artifacts: ArtifactQuerySet, size: int, before: Place | None = None) -> Page:
    """The first `size` files, or those after a place."""
    if before:
        artifacts = behind(artifacts, before)
    rows = list(artifacts[: size + 1])
    more = len(rows) > size
    return Page(rows[:size], Place.of(rows[size - 1]) if more else None)
