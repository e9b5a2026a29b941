"""What a signed address is good for by now: for whom, and for which version of a file."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from studio.api.models import still_valid
from studio.artifacts.links import Moment, Reader
from studio.artifacts.models import Version
from studio.projects.access import still_seen


def seen_by(reader: Reader, projects: Collection[str]) -> set[str]:
    """Those of these projects that the reader may still look at."""
    if reader.token and not still_valid({reader.token}):
        return set()
    return {project for _, project in still_seen({(reader.user, each) for each in projects})}


def wanted_version(moment: Moment, path: str, digest: str) -> Version | None:
    """The version with this digest, else the newest one, or the newest of that moment."""
    versions = Version.objects.filter(artifact__project=moment.project, artifact__path=path)
    if digest:
        wanted = Q(digest=digest)
    elif shown := outdated(moment):
        # What one run made belongs together, in whatever order it came.
        wanted = Q(pk__lte=shown.pk) | Q(run__isnull=False, run=shown.run_id)
    else:
        wanted = Q(artifact__removed=False)
    return versions.filter(wanted).select_related("artifact").order_by("-number").first()


def outdated(moment: Moment) -> Version | None:
    """The version that the moment is named after, unless it is still what the project has."""
    if moment.version is None:
        return None
    shown = Version.objects.filter(pk=moment.version, artifact__project=moment.project)
    version = shown.select_related("artifact").first()
    if version is None:
        return None
    current = version.artifact.latest_id == version.pk and not version.artifact.removed
    return None if current else version
