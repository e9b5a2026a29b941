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
    return delete_each(Project.objects.filter(deleted__lt=Now() - KEPT))


def delete_each(rows: QuerySet) -> int:
    """Delete rows for good, one after the other, since much goes with each; returns how many.

    What is not among them any more when its turn comes stays: somebody has brought it back.
    """
    return sum(_deleted(rows, key) for key in list(rows.values_list("pk", flat=True)))


def _deleted(rows: QuerySet, key: object) -> bool:
    with transaction.atomic():
        row = rows.select_for_update().filter(pk=key).first()
        return row is not None and bool(row.delete()[0])
