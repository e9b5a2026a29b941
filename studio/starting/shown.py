"""Starting points as pages show them: with what the studio made of them, where that is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from studio.artifacts import links
from studio.artifacts.models import Artifact
from studio.sharing import reach
from studio.sharing.models import Share
from studio.starting.catalogue import Point, of_language
from studio.starting.models import Result

KINDS = {
    "map": _("Map"),
    "poster": _("Poster"),
    "video": _("Video"),
    "music": _("Music"),
    "report": _("Report"),
    "slides": _("Slides"),
    "card": _("Card"),
}
"""In the order of the start page."""
COVERS = {
    "poster": "image",
    "video": "video",
    "music": "audio",
    "slides": "pdf",
    "card": "image",
}
"""The kind of file that shows best what a kind of point makes; else a page."""

PREVIEWS = "project__artifacts__latest__inspection__previews"


@dataclass
class Shown:
    """A point, the `share` of its result and its files, if they are there: the best one first."""

    point: Point
    share: Share | None = None
    files: list[Artifact] = field(default_factory=list)

    @property
    def kind(self) -> object:
        return KINDS[self.point.kind]

    @property
    def art(self) -> str:
        return f"tiles/{self.point.kind}.svg"

    @property
    def cover(self) -> Artifact | None:
        """The file that stands for it, as soon as there is a picture of it."""
        first = self.files[0] if self.files else None
        return first if first and first.poster_url else None


def shown(request: HttpRequest, points: Sequence[Point]) -> list[Shown]:
    """These points, each with its result if that is done."""
    asked = {point.key: point.digest for point in points}
    found = Result.objects.good().filter(point__in=asked)
    results = {
        result.point: result
        for result in found.select_related("share").prefetch_related(PREVIEWS)
        if result.digest == asked[result.point] and result.share.path
    }
    told = []
    for point in points:
        each = Shown(point)
        if result := results.get(point.key):
            best = COVERS.get(point.kind, "html")
            files = [file for file in result.project.artifacts.all() if not file.removed]
            files.sort(key=lambda file: (file.kind != best, file.pk))
            links.sign(request, files, reach.through(result.share))
            each.share, each.files = result.share, files
        told.append(each)
    return told


def first_of_each_kind(request: HttpRequest, language: str | None) -> list[Shown]:
    """One point of each kind, for who has not decided yet."""
    there = of_language(language)
    first = (next(point for point in there if point.kind == kind) for kind in KINDS)
    return shown(request, list(first))
