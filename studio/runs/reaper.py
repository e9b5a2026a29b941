"""Put right what a crash, a lost message or a killed worker left behind."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from agent.events import Reason, RunEnded
from studio.artifacts import packing
from studio.inspections import recovery
from studio.runs import claims, journal, pausing, tasks
from studio.runs.models import Run, Status

logger = logging.getLogger(__name__)

# The broker may still have the message: sending it again is harmless, but not every few seconds.
RESEND = timedelta(seconds=60)
ANSWER = timedelta(days=7)


def reap() -> None:
    """End what nobody works on or answers, and offer again what waits.

    What one of these steps meets keeps none of the others from being taken.
    """
    for step in (end_abandoned, end_unanswered, send_again, recovery.recover, packing.recover):
        try:
            step()
        except Exception:
            logger.exception("Something is not put right; it is tried again")


def end_abandoned() -> None:
    expired = Run.objects.filter(status=Status.RUNNING, lease_until__lt=Now())
    for run_id in expired.values_list("pk", flat=True):
        token = claims.seize(run_id)
        if token is not None:
            logger.warning("Run %s was abandoned", run_id)
            ended = RunEnded(reason=Reason.INTERRUPTED, message="The worker is gone.")
            with suppress(journal.ClaimLost):
                journal.append(run_id, ended, claim=token)


def end_unanswered() -> None:
    unanswered = Run.objects.filter(status=Status.PAUSED, paused__lt=Now() - ANSWER)
    for run_id in unanswered.values_list("pk", flat=True):
        pausing.leave(run_id)


def send_again() -> None:
    unsent = Q(sent=None) | Q(sent__lt=Now() - RESEND)
    for run in Run.objects.filter(unsent, status=Status.QUEUED).order_by("created"):
        tasks.send(run)
