"""How long a queued run will have to wait, as far as anybody can know."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from studio.runs.models import Run, Status

LATELY = timedelta(days=14)
ENOUGH, MOST = 5, 100


def position(run: Run) -> int | None:
    """1 for the next one to start; None for a run that waits no more."""
    if run.status != Status.QUEUED:
        return None
    return Run.objects.filter(status=Status.QUEUED, created__lt=run.created).count() + 1


def expected(run: Run) -> str:
    """The wait in the reader's language; empty where it is not known."""
    place = position(run)
    if place is None:
        return ""
    starts = Run.objects.filter(status=Status.RUNNING).values_list("started", flat=True)
    seconds = wait(place, [start for start in starts if start], recent(), timezone.now())
    return "" if seconds is None else roughly(seconds)


def wait(
    place: int, began: Sequence[datetime], durations: Sequence[float], now: datetime
) -> float | None:
    """Seconds until the run at this place begins; None where too little is known.

    Whoever waits tells that all workers are busy, so there are as many as runs go on now. A run
    that goes on will take as long as those did lately that took at least as long as it has.
    """
    if len(durations) < ENOUGH or not began:
        return None
    free = []
    for start in began:
        passed = (now - start).total_seconds()
        longer = [duration for duration in durations if duration > passed]
        free.append(median(longer) - passed if longer else 0.0)
    heapq.heapify(free)
    usual = median(durations)
    for _ in range(place - 1):
        heapq.heapreplace(free, free[0] + usual)
    return free[0]


def recent() -> list[float]:
    """How many seconds the last runs took that never paused."""
    ended = Run.objects.filter(
        status=Status.ENDED, seconds=0, started__isnull=False, ended__gt=timezone.now() - LATELY
    )
    rows = ended.order_by("-ended").annotate(took=F("ended") - F("started"))
    return [took.total_seconds() for took in rows.values_list("took", flat=True)[:MOST]]


def roughly(seconds: float) -> str:
    """A duration as people say it who do not know it to the second."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return gettext("less than a minute")
    if minutes < 90:
        return ngettext("about %(n)d min", "about %(n)d min", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour", "about %(n)d hours", hours) % {"n": hours}
