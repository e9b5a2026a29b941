"""Bytes become the newest version of a file, whoever brings them: a run or the owner."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from agent.store import Blob
from studio.artifacts.kinds import kind_and_type
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection
from studio.inspections.queue import expect_version
from studio.runs.models import Run


def keep_version(
    project_id: str,
    path: str,
    blob: Blob,
    *,
    run: Run | None = None,
    source: Version | None = None,
) -> tuple[Version, Inspection | None]:
    """Make stored bytes the newest version under a path, and what is expected to be found in them.

    What a run writes and then writes better is one version, the one it leaves behind; of the same
    bytes once more nothing new is expected.
    """
    kind, media_type = kind_and_type(path)
    now = timezone.now()
    with transaction.atomic():
        artifact, _ = Artifact.objects.update_or_create(
            project_id=project_id,
            path=path,
            defaults={"kind": kind, "updated": now, "removed": False, "deleted": None},
        )
        # The update has locked the row, so nobody else takes the next number.
        last = artifact.versions.first()
        own = artifact.versions.filter(run=run).first() if run else None
        if own and own.digest != blob.digest and own.shares.exists():
            # A link was made to show these bytes and no later ones.
            artifact.versions.filter(pk=own.pk).update(run=None)
            own = None
        version = own or Version(artifact=artifact, run=run, source=source)
        known = version.digest == blob.digest
        if last is None or version != last:
            # Also one of the run's own that the owner has put something after.
            version.number = last.number + 1 if last else 1
        version.digest, version.size = blob.digest, blob.size
        version.media_type, version.created = media_type, now
        version.save()
        artifact.latest = version
        artifact.save(update_fields=["latest"])
        return version, None if known else expect_version(version)
