"""The versions of an artifact: told, compared, brought back."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from studio.artifacts import links, restoring
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, Role
from studio.projects.views import forms_answer, own_project
from studio.web import UserRequest

# What can be compared line by line; of pages and SVG that is the source.
TEXTS = ("text", "code", "markdown", "csv", "json", "html", "svg")


def own_artifact(request: UserRequest, project_id: str, path: str) -> Artifact:
    """The user's artifact, shown or removed; anybody else's does not exist."""
    project = own_project(request, project_id)
    return get_object_or_404(project.artifacts.select_related("latest", "project"), path=path)


def told(request: UserRequest, artifact: Artifact) -> list[Version]:
    """All versions of an artifact, newest first, with their addresses."""
    rows = artifact.versions.select_related("run", "source__artifact", "inspection")
    versions = list(rows.prefetch_related("inspection__previews"))
    for version in versions:
        version.artifact = artifact
        version.signed_url = links.version_address(request, artifact, version)
        version.poster_url = poster_address(request, artifact.project_id, version)
    return versions


def poster_address(request: UserRequest, project_id: str, version: Version) -> str:
    """A signed URL of what a version looks like, or nothing."""
    inspection: Inspection | None = getattr(version, "inspection", None)
    previews = inspection.previews.all() if inspection else ()
    poster = next((each.digest for each in previews if each.role == Role.POSTER), "")
    return links.address(request, project_id, f".studio/preview/{poster}") if poster else ""


def numbered(artifact: Artifact, number: str) -> Version:
    """The version with this number; 404 if there is none."""
    if not number.isdecimal():
        raise Http404
    return get_object_or_404(artifact.versions, number=number[:9])


@require_GET
def compare(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """Two versions side by side: numbers `a` and `b`, or the newest and the one before it."""
    artifact = own_artifact(request, project_id, path)
    versions = told(request, artifact)
    if not versions:
        raise Http404
    a = chosen(versions, request.GET.get("a"), min(1, len(versions) - 1))
    b = chosen(versions, request.GET.get("b"), 0)
    context = {
        "artifact": artifact,
        "versions": versions,
        "a": a,
        "b": b,
        "sides": [{"mark": "A", "version": a}, {"mark": "B", "version": b}],
        "kind": artifact.kind,
        "texts": artifact.kind in TEXTS,
    }
    return render(request, "artifacts/compare.html", context)


def chosen(versions: list[Version], number: str | None, usual: int) -> Version:
    """The version of this number; the one at the place `usual` if none is asked for."""
    if number is None:
        return versions[usual]
    for version in versions:
        if str(version.number) == number:
            return version
    raise Http404


@require_POST
@forms_answer
def restore(request: UserRequest, project_id: str, path: str) -> str:
    """Bring version `version` back; the page that follows says so, and offers to undo it."""
    artifact = own_artifact(request, project_id, path)
    back = restoring.restore(numbered(artifact, request.POST.get("version", "")))
    return f"{artifact.detail_url}?{urlencode({'back': back.number})}"
