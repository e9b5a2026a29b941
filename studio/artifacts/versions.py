"""The versions of an artifact, as pages tell of them."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from studio.artifacts import links
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, Role
from studio.web import UserRequest


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
