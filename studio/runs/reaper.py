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
from studio.runs import claims, journal, tasks
from studio.runs.models import Run, Status

logger = logging.getLogger(__name__)

# The broker may still have the message: sending it again is harmless, but not every few seconds.
RESEND = timedelta(seconds=60)


def reap() -> None:
    """End runs that nobody works on, offer waiting ones again, and remove orphaned sandboxes."""
    end_abandoned()
    send_again()
    remove_sandboxes()


def end_abandoned() -> None:
    expired = Run.objects.filter(status=Status.RUNNING, lease_until__lt=Now())
    for run_id in expired.values_list("pk", flat=True):
        token = claims.seize(run_id)
        if token is not None:
            logger.warning("Run %s was abandoned", run_id)
            ended = RunEnded(reason=Reason.INTERRUPTED, message="The worker is gone.")
            journal.append(run_id, ended, claim=token)


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

    A queued run counts as active: it may start any moment.
    """
    active = Run.objects.exclude(status=Status.ENDED).values_list("pk", "sandbox")
    return {name for run_id, sandbox in active for name in (str(run_id), sandbox) if name}
