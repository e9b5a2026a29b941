"""The library: what all projects of somebody have made, found, starred and tagged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from studio.accounts.models import User
from studio.artifacts import links
from studio.artifacts.models import Artifact
from studio.artifacts.paging import Page, Place, page
from studio.library.finding import KINDS, Search
from studio.library.models import Star, Tag
from studio.projects.access import projects_of
from studio.web import UserRequest

# Their page stays below 100 KB, with what stands for their posters until these are there.
SIZE = 36
# As many as people can choose from.
TAGS, PROJECTS = 100, 200


@dataclass(frozen=True, slots=True)
class Item:
    """A file as its user knows it; the first one of a day has a time of that `day`."""

    artifact: Artifact
    starred: bool
    tags: list[str]
    day: datetime | None


@never_cache
@require_GET
def wall(request: UserRequest) -> HttpResponse:
    """What is found; for htmx the files alone, and behind a place only those that follow."""
    search = Search.read(request.GET)
    before = Place.read(request.GET.get("before", ""))
    found = page(search.artifacts(request.user).select_related("project"), SIZE, before)
    shown = items(request, found, before)
    context = {"search": search, "items": shown, "next": found.next, "before": before}
    if request.htmx and not request.htmx.history_restore_request:
        template = "library/_items.html" if before else "library/_found.html"
        answer = render(request, template, context)
        if not before:
            answer["HX-Push-Url"] = request.path + search.address
        return answer
    return render(request, "library/wall.html", context | choices(request, search))


def choices(request: UserRequest, search: Search) -> dict[str, object]:
    """What the filters offer."""
    projects = projects_of(request.user)
    first = list(projects[:PROJECTS])
    return {
        "kinds": [(name, *KINDS[name][:2]) for name in KINDS],
        "tags": tags_of(request),
        "projects": first,
        "targets": [project for project in first if project.may_change],
        "chosen": projects.filter(pk=search.project).first() if search.project else None,
    }


def tags_of(request: UserRequest) -> list[str]:
    """The names of the user's tags that are in use, those first that are used most."""
    tags = Tag.objects.filter(user=request.user, artifacts__removed=False)
    used = tags.annotate(count=Count("artifacts")).order_by("-count", "folded")
    return list(used.values_list("name", flat=True)[:TAGS])


def items(request: UserRequest, found: Page, before: Place | None) -> list[Item]:
    """The files of a page as the library shows them."""
    links.sign(request, found.artifacts)
    keys = [artifact.pk for artifact in found.artifacts]
    stars = Star.objects.filter(user=request.user, artifact__in=keys)
    starred = set(stars.values_list("artifact", flat=True))
    tags = tags_on(request.user, keys)
    last = localtime(before.updated).date() if before else None
    told = []
    for artifact in found.artifacts:
        # With its zone, by which a page knows whether that is today.
        at = localtime(artifact.updated)
        new_day = at if at.date() != last else None
        told.append(Item(artifact, artifact.pk in starred, tags.get(artifact.pk, []), new_day))
        last = at.date()
    return told


def tags_on(user: User, keys: list[int]) -> dict[int, list[str]]:
    """The user's tags on each of these artifacts that has some."""
    found: dict[int, list[str]] = {}
    tags = Tag.objects.filter(user=user, artifacts__in=keys)
    for key, name in tags.values_list("artifacts", "name"):
        found.setdefault(key, []).append(name)
    return found
