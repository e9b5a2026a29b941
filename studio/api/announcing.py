"""Notices of runs that ended: written with the end itself, sent afterwards, tried again.

The rows are the truth, as for runs: a message through the broker only says that one is due,
and a regular task says it again for those that were lost or have to be tried once more.
"""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from kombu.exceptions import OperationalError

from studio.api import sending, tasks
from studio.api.models import Delivery, DeliveryState, watchers
from studio.api.turns import turn
from studio.crypto import Unreadable
from studio.runs.models import Run

logger = logging.getLogger(__name__)

# After each attempt but the last, so long until the next one.
BACKOFF = [timedelta(seconds=each) for each in (10, 60, 600, 3600, 6 * 3600)]
# Whoever tries has this long; then it counts as having died.
LEASE = timedelta(seconds=60)
# How often those that are due are told of, in seconds.
ROUND = 10
KEPT = 50
BATCH = 100


def announce(sender: type[Run], run: Run, **kwargs) -> None:
    """Write a notice for each webhook; to be called in the transaction that ends the run."""
    for webhook in watchers(run.project):
        row = Delivery.objects.create(webhook=webhook, run=run, due=timezone.now())
        old = webhook.deliveries.order_by("-created").values("pk")[KEPT : KEPT + BATCH]
        Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
        transaction.on_commit(partial(offer, row.pk))


def offer_due() -> None:
    """Say of those that are due that they are."""
    due = Delivery.objects.filter(state=DeliveryState.WAITING, due__lte=Now())
    # Nobody has written down what came of their last attempt.
    broken_off = due.filter(attempts__gt=len(BACKOFF))
    broken_off.update(state=DeliveryState.FAILED, problem="The last attempt was broken off.")
    for key in due.order_by("due").values_list("pk", flat=True)[:BATCH]:
        offer(key)


def offer(key: uuid.UUID) -> None:
    try:
        # One that finds nobody in time is of no use later: the next round does the same.
        tasks.deliver.apply_async((str(key),), expires=ROUND)
    except OperationalError as error:
        logger.error("Delivery %s waits until the broker is back: %s", key, error)


def deliver(key: uuid.UUID) -> None:
    """Try a delivery that is due, if nobody else does; who has enough on the way waits a round."""
    due = Delivery.objects.filter(pk=key, state=DeliveryState.WAITING, due__lte=Now())
    user_id = due.values_list("webhook__user", flat=True).first()
    if user_id is None:
        return
    with turn(user_id) as free:
        if not free:
            due.update(due=Now() + timedelta(seconds=ROUND))
        elif due.update(due=Now() + LEASE, attempts=F("attempts") + 1):
            carry_out(Delivery.objects.select_related("webhook", "run__project").get(pk=key))


def carry_out(row: Delivery) -> None:
    """Try a delivery, and write down what came of it."""
    wanted = watchers(row.run.project).filter(pk=row.webhook_id).exists()
    answer: int | None = None
    try:
        if not wanted:
            raise sending.NotDelivered("The webhook is switched off, or the project deleted.")
        answer = sending.send(row)
        problem = "" if 200 <= answer < 300 else f"It answered {answer}."
    except sending.NotDelivered as error:
        problem = str(error)
    except Unreadable:
        problem = "Its secret can't be read any more. Make a new webhook."
    if not problem:
        state, wait = DeliveryState.DELIVERED, timedelta()
    elif wanted and row.attempts <= len(BACKOFF):
        state, wait = DeliveryState.WAITING, BACKOFF[row.attempts - 1]
    else:
        state, wait = DeliveryState.FAILED, timedelta()
    Delivery.objects.filter(pk=row.pk).update(
        state=state, answer=answer, problem=problem[:200], due=timezone.now() + wait
    )
