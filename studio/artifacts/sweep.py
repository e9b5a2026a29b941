"""Delete the bytes that nothing refers to any more: of deleted projects, of old workspaces."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from django.db.models import Exists, OuterRef

from studio.artifacts.models import Version
from studio.inspections.models import Preview
from studio.media import store
from studio.projects.models import Input
from studio.runs.models import Run
from studio.stores import Store

logger = logging.getLogger(__name__)

# Bytes are stored before the row that names them: so long the row may take.
GRACE_SECONDS = 3600
# So long an upload may take.
UNFINISHED_SECONDS = 24 * 3600
BATCH = 500

T = TypeVar("T")


def sweep() -> int:
    """Set aside what nothing refers to for an hour, and delete what is aside for an hour.

    Returns how many blobs were deleted.
    """
    swept = sweep_store(store(), referred, time.time())
    if swept:
        logger.info("Deleted %d unused files", swept)
    return swept


def sweep_store(store: Store, referred: Callable[[Collection[str]], set[str]], now: float) -> int:
    """Sweep `store`, where `referred` tells which of some blobs are in use."""
    deleted = 0
    store.tidy(now - UNFINISHED_SECONDS)
    for asides in batches(store.aside(now - GRACE_SECONDS)):
        used = referred({blob.digest for blob in asides})
        for blob in asides:
            if blob.digest in used:
                store.bring_back(blob)
            else:
                store.delete(blob)
                deleted += 1
    for digests in batches(store.stored(now - GRACE_SECONDS)):
        for digest in set(digests) - referred(digests):
            store.set_aside(digest)
    return deleted


def referred(digests: Collection[str]) -> set[str]:
    """Which of these inputs, versions, previews, or the latest workspace of a project refer to."""
    used: set[str] = set()
    for model in (Input, Version, Preview):
        rows = model.objects.filter(digest__in=digests)
        used.update(rows.values_list("digest", flat=True))
    later = Run.objects.filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    latest = Run.objects.filter(~Exists(later.exclude(workspace="")), workspace__in=digests)
    used.update(latest.values_list("workspace", flat=True))
    return used


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch
