"""An older version brought back."""

from __future__ import annotations

from django.db import transaction

from agent.store import Blob
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import Version
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
        blob = Blob(version.digest, version.size)
        back, _ = keep_version(artifact.project_id, artifact.path, blob, source=version)
        return back
