"""Deleting files: out of the gallery at once, gone for good after thirty days.

The workspace of the project's last request still has them. A later one may write them anew, and
then they are shown again.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from studio.artifacts.models import Artifact
from studio.projects.trash import KEPT, delete_each


def discard(artifacts: QuerySet[Artifact]) -> int:
    """Put files into the trash; returns how many."""
    return artifacts.filter(removed=False).update(removed=True, deleted=Now())


def restore(artifacts: QuerySet[Artifact]) -> int:
    """Show files again that are in the trash; returns how many."""
    return artifacts.filter(trashed()).update(removed=False, deleted=None)


def trashed() -> Q:
    """What somebody deleted; what a run removed is not in the trash."""
    return Q(removed=True, deleted__isnull=False)


def purge() -> int:
    """Delete for good what has been in the trash for thirty days; returns how many files."""
    return delete_each(Artifact.objects.filter(trashed(), deleted__lt=Now() - KEPT))
