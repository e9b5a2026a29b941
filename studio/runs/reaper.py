"""Put right what a crash, a lost message or a killed worker left behind."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from agent.errors import SandboxUnavailable
from agent.events import Reason, RunEnded
from agent.sandbox import orphans
from studio.artifacts import packing
from studio.inspections import recovery
from studio.runs import claims, journal, pausing, tasks
from studio.runs.models import ACTIVE, Run, Status

logger = logging.getLogger(__name__)

# The broker may still have the message: sending it again is harmless, but not every few seconds.
RESEND = timedelta(seconds=60)
ANSWER = timedelta(days=7)


def reap() -> None:
    """End what nobody works on or answers, offer waiting runs again, remove orphaned sandboxes."""
    end_abandoned()
    end_unanswered()
    send_again()
    recovery.recover()
    packing.recover()
    remove_sandboxes()


def end_abandoned() -> None:
    expired = Run.objects.filter(status=Status.RUNNING, lease_until__lt=Now())
    for run_id in expired.values_list("pk", flat=True):
        token = claims.seize(run_id)
        if token is not None:
            logger.warning("Run %s was abandoned", run_id)
            ended = RunEnded(reason=Reason.INTERRUPTED, message="The worker is gone.")
            journal.append(run_id, ended, claim=token)


def end_unanswered() -> None:
    unanswered = Run.objects.filter(status=Status.PAUSED, paused__lt=Now() - ANSWER)
    for run_id in unanswered.values_list("pk", flat=True):
        pausing.leave(run_id)


def send_again() -> None:
    unsent = Q(sent=None) | Q(sent__lt=Now() - RESEND)
    for run in Run.objects.filter(unsent, status=Status.QUEUED).order_by("created"):
        tasks.send(run)


def remove_sandboxes() -> None:
    """Those of this installation whose run is over; the ones that wait for a run stay."""
    try:
        removed = orphans.reap(settings.INSTALLATION, in_use)
    except SandboxUnavailable as error:
        logger.warning("Orphaned sandboxes can't be looked for: %s", error)
        return
    if removed:
        logger.warning("Removed %d orphaned sandboxes", removed)


def in_use() -> set[str]:
    """The active runs, which label their sandboxes, and the names of sandboxes that were ready.

    A queued run counts as active: it may start any moment. A paused one has no sandbox.
    """
    active = Run.objects.filter(status__in=ACTIVE).values_list("pk", "sandbox")
    return {name for run_id, sandbox in active for name in (str(run_id), sandbox) if name}
