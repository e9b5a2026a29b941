"""Versions that the owner makes: an older one brought back, or something made from one."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from agent.store import Blob
from studio.artifacts.kinds import kind_and_type
from studio.artifacts.models import Artifact, Version
from studio.inspections.queue import expect_version
from studio.projects.resting import at_rest


def restore(version: Version) -> Version:
    """Make the bytes of a version the newest of its artifact, which is shown again if removed.

    The newest one of an artifact that is shown stays as it is.

    Raises:
        Busy: a run of the project has not ended.
    """
    with transaction.atomic():
        artifact = version.artifact
        at_rest(artifact.project)
        artifact.refresh_from_db()
        if artifact.latest_id == version.pk and not artifact.removed:
            return version
        return add_version(version, artifact.path, Blob(version.digest, version.size))


def add_version(source: Version, path: str, blob: Blob) -> Version:
    """The next version under a path of the source's project, which no run made."""
    kind, media_type = kind_and_type(path)
    now = timezone.now()
    with transaction.atomic():
        artifact, _ = Artifact.objects.update_or_create(
            project_id=source.artifact.project_id,
            path=path,
            defaults={"kind": kind, "updated": now, "removed": False},
        )
        # The row was locked by the update, so the number is still free.
        last = artifact.versions.aggregate(last=Max("number"))["last"] or 0
        artifact.latest = Version.objects.create(
            artifact=artifact,
            source=source,
            number=last + 1,
            digest=blob.digest,
            size=blob.size,
            media_type=media_type,
            created=now,
        )
        artifact.save(update_fields=["latest"])
        expect_version(artifact.latest)
    return artifact.latest
