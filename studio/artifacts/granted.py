"""Which version of a file a signed address is for."""

from __future__ import annotations

from django.db.models import Q

from studio.artifacts.links import Grant
from studio.artifacts.models import Version


def wanted_version(grant: Grant, path: str, digest: str) -> Version | None:
    """The version with this digest, else the newest one, or the newest of the grant's time."""
    versions = Version.objects.filter(artifact__project=grant.project, artifact__path=path)
    if digest:
        wanted = Q(digest=digest)
    elif shown := outdated(grant):
        # What one run made belongs together, in whatever order it came.
        wanted = Q(pk__lte=shown.pk) | Q(run__isnull=False, run=shown.run_id)
    else:
        wanted = Q(artifact__removed=False)
    return versions.filter(wanted).select_related("artifact").order_by("-number").first()


def outdated(grant: Grant) -> Version | None:
    """The version that the grant was given for, unless it is still what the project has."""
    if grant.version is None:
        return None
    shown = Version.objects.filter(pk=grant.version, artifact__project=grant.project)
    version = shown.select_related("artifact").first()
    if version is None:
        return None
    current = version.artifact.latest_id == version.pk and not version.artifact.removed
    return None if current else version
