"""Who may execute a run: whoever moved it from queued to running, as long as the lease is renewed.

Times are the database's own, so the clocks of several machines need not agree.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta

from django.db import Error, connection
from django.db.models.functions import Now

from studio.runs.models import Run, Status

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
BEAT = 1.0
BEATS_PER_RENEWAL = 5


def claim(run_id: uuid.UUID) -> uuid.UUID | None:
    """Take a queued run; None if somebody else has or had it."""
    token = uuid.uuid4()
    queued = Run.objects.filter(pk=run_id, status=Status.QUEUED)
    taken = queued.update(
        status=Status.RUNNING, claim=token, started=Now(), lease_until=Now() + LEASE
    )
    return token if taken else None


def claim_paused(run_id: uuid.UUID) -> uuid.UUID | None:
    """Take a paused run in order to end it; None if it is not paused any more."""
    token = uuid.uuid4()
    paused = Run.objects.filter(pk=run_id, status=Status.PAUSED)
    taken = paused.update(status=Status.RUNNING, claim=token, lease_until=Now() + LEASE)
    return token if taken else None


def seize(run_id: uuid.UUID) -> uuid.UUID | None:
    """Take a running run from a holder whose lease has run out; the holder's claim is void."""
    token = uuid.uuid4()
    expired = Run.objects.filter(pk=run_id, status=Status.RUNNING, lease_until__lt=Now())
    taken = expired.update(claim=token, lease_until=Now() + LEASE)
    return token if taken else None


def renew(run_id: uuid.UUID, token: uuid.UUID) -> bool:
    """Keep a claim for another lease; False if it is lost."""
    held = Run.objects.filter(pk=run_id, status=Status.RUNNING, claim=token)
    return held.update(lease_until=Now() + LEASE) == 1


def should_stop(run_id: uuid.UUID, token: uuid.UUID) -> bool:
    """Whether the user asked for it, or the claim is lost."""
    held = Run.objects.filter(pk=run_id, status=Status.RUNNING, claim=token)
    return held.values_list("stop_requested", flat=True).first() is not False


@contextlib.contextmanager
def heartbeat(run_id: uuid.UUID, token: uuid.UUID, stop: threading.Event) -> Iterator[None]:
    """Renew a claim in the background, and set `stop` as soon as the run should stop."""
    over = threading.Event()

    def beat() -> None:
        beats = 0
        try:
            while not over.wait(BEAT):
                beats += 1
                try:
                    lost = beats % BEATS_PER_RENEWAL == 0 and not renew(run_id, token)
                    if lost or should_stop(run_id, token):
                        stop.set()
                except Error:
                    logger.exception("Run %s could not renew its claim; trying again", run_id)
                    # A broken connection stays broken; the next beat gets another.
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat-{run_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
