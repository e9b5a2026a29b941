"""Put right what a crash or a lost message left behind among the inspections."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from studio.inspections import claims, outcome, tasks
from studio.inspections.models import Inspection, State
from studio.inspections.queue import RESEND

logger = logging.getLogger(__name__)


def recover() -> None:
    """Let others try what nobody works on any more, and tell of what waits again."""
    take_back()
    send_again()


def take_back() -> None:
    expired = Inspection.objects.filter(state=State.RUNNING, lease_until__lt=Now())
    for key in expired.values_list("pk", flat=True):
        claim = claims.seize(key)
        if claim is None:
            continue
        logger.warning("Inspection %s was abandoned", key)
        if not claims.put_back(claim, tried=True):
            outcome.give_up(claim, outcome.BROKEN)


def send_again() -> None:
    unsent = Q(lease_until=None) | Q(lease_until__lt=Now())
    waiting = Inspection.objects.filter(unsent, state=State.WAITING)
    if waiting.update(lease_until=Now() + RESEND):
        for _ in range(settings.INSPECTIONS):
            tasks.send()
