"""A run that has spent what it may waits for a person, who lets it go on or leaves it."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction

from agent.events import Reason, RunEnded, Usage
from studio.runs import claims, journal, tasks
from studio.runs.models import Run, Status
from studio.runs.nudge import nudge


def go_on(run: Run) -> None:
    """Queue a paused run again, once however often it is asked for."""
    with transaction.atomic():
        paused = Run.objects.filter(pk=run.pk, status=Status.PAUSED)
        if paused.update(status=Status.QUEUED, sent=None):
            # No event tells of it before a worker begins.
            transaction.on_commit(partial(nudge, run.pk))
            transaction.on_commit(partial(tasks.send, run))


def leave(run_id: uuid.UUID) -> None:
    """End a paused run where it is, for the reason that it paused for."""
    with transaction.atomic():
        token = claims.claim_paused(run_id)
        if token is None:
            return
        run = Run.objects.get(pk=run_id)
        ended = RunEnded(
            reason=Reason(run.reason),
            message=run.message,
            turns=run.turns,
            usage=Usage(run.tokens_in, run.tokens_out, run.tokens_cached, run.cost),
            seconds=run.seconds,
        )
        journal.append(run_id, ended, claim=token)
