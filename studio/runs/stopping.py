"""Stop a run, whether it waits, goes on or has paused."""

from __future__ import annotations

from django.db import transaction

from agent.events import Reason, RunEnded
from studio.runs import claims, journal, pausing
from studio.runs.models import Run, Status


def stop(run: Run) -> None:
    """End a queued or paused run now; who executes a running one notices in a second or two."""
    with transaction.atomic():
        # First, so that whoever wants to pause it or to let it go on now has to wait.
        Run.objects.filter(pk=run.pk).exclude(status=Status.ENDED).update(stop_requested=True)
        pausing.leave(run.pk)
        token = claims.claim(run.pk)
        if token is not None:
            ended = RunEnded(reason=Reason.STOPPED, message="Stopped before it began.")
            journal.append(run.pk, ended, claim=token)
