"""Delete the bytes that nothing refers to any more: of deleted projects and of old workspaces."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from django.db.models import OuterRef, Subquery

from studio.artifacts.models import Version
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs.models import Run

logger = logging.getLogger(__name__)

# Bytes are stored before the row that names them: younger ones may still get theirs.
GRACE_SECONDS = 3600


def sweep() -> int:
    """Delete all unused bytes that are older than an hour; how many files that were."""
    root = store().root
    young = time.time() - GRACE_SECONDS
    # Beside the blobs: what a process that was killed had begun to write.
    files = [*root.glob("*/*"), *root.glob(".new-*")]
    old = [path for path in files if path.stat().st_mtime < young]
    used = used_digests() if old else set()
    swept = sum(remove(path, young) for path in old if path.name not in used)
    if swept:
        logger.info("Deleted %d unused files", swept)
    return swept


def used_digests() -> set[str]:
    """What inputs, versions, and the latest workspace of each project refer to."""
    latest = Run.objects.filter(project=OuterRef("pk")).exclude(workspace="").order_by("-number")
    workspaces = Project.objects.values_list(Subquery(latest.values("workspace")[:1]), flat=True)
    named = (Input.objects.values_list("digest", flat=True), workspaces)
    return set(Version.objects.values_list("digest", flat=True)).union(*named)


def remove(path: Path, young: float) -> bool:
    """Delete a blob unless the same bytes were stored anew since it was looked at."""
    doomed = path.with_name(f".doomed-{path.name}")
    path.replace(doomed)
    if doomed.stat().st_mtime >= young:
        doomed.replace(path)
        return False
    doomed.unlink()
    return True
