"""Stop a run, whether it waits or goes on."""

from __future__ import annotations

from django.db import transaction

from agent.events import Reason, RunEnded
from studio.runs import claims, journal
from studio.runs.models import Run, Status


def stop(run: Run) -> None:
    """End a queued run now; whoever executes a running one notices within a second or two."""
    with transaction.atomic():
        token = claims.claim(run.pk)
        if token is not None:
            ended = RunEnded(reason=Reason.STOPPED, message="Stopped before it began.")
            journal.append(run.pk, ended, claim=token)
            return
    running = Run.objects.filter(pk=run.pk, status=Status.RUNNING)
    running.update(stop_requested=True)
