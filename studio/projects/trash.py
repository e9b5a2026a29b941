"""Deleting a project: out of everybody's sight at once, gone for good after thirty days."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from studio.projects.models import Project
from studio.runs import stopping
from studio.runs.models import Status

KEPT = timedelta(days=30)


def discard(project: Project) -> None:
    """Put a project into the trash; a request that is being worked on is stopped."""
    going_on = project.runs.exclude(status=Status.ENDED)
    with transaction.atomic():
        # In the order of whoever ends a run: first the run, then its project.
        list(going_on.select_for_update(no_key=True))
        # Who begins a run updates this row, too, and is refused from here on.
        Project.objects.filter(pk=project.pk, deleted=None).update(deleted=Now())
        for run in going_on.all():
            stopping.stop(run)


def restore(project: Project) -> None:
    """Take a project out of the trash again; one that is not there stays as it is."""
    Project.objects.filter(pk=project.pk).update(deleted=None)


def purge() -> int:
    """Delete for good what has been in the trash for thirty days; returns how many projects."""
    late = Project.objects.filter(deleted__lt=Now() - KEPT)
    # One after the other: their events are many rows.
    return sum(delete_still(late, key) for key in list(late.values_list("pk", flat=True)))


def delete_still(rows: QuerySet, key: object) -> bool:
    """Delete the row with this key for good if it is among these still: somebody may have brought
    it back while others were deleted.
    """
    with transaction.atomic():
        row = rows.select_for_update().filter(pk=key).first()
        return row is not None and bool(row.delete()[0])
