"""What travels through the broker: ids, never data. Losing or doubling a message harms nothing."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from studio.runs.models import Run

logger = logging.getLogger(__name__)


@shared_task
def execute(run_id: str) -> None:
    # Imported here because only workers need the agent and the engine's library.
    from studio.runs import worker

    worker.execute(uuid.UUID(run_id))


@shared_task
def reap() -> None:
    from studio.runs import reaper

    reaper.reap()


@shared_task
def remove_orphans() -> None:
    from studio.runs import sandboxes

    sandboxes.remove_orphans()


@shared_task
def sweep() -> None:
    from studio.artifacts import sweep

    sweep.sweep()


@worker_shutting_down.connect
def end_runs(**kwargs) -> None:
    """The worker waits for its tasks when it goes; this makes them short."""
    from studio.runs import worker

    worker.running.close()


@worker_ready.connect
def keep_sandboxes_ready(sender, **kwargs) -> None:
    """From here on only: the web and management commands import this module, too.

    Who does not carry out runs keeps none.
    """
    from studio.runs import sandboxes

    if sender.app.conf.task_default_queue in sender.app.amqp.queues.consume_from:
        sandboxes.warm.open()


@worker_shutdown.connect
def remove_ready_sandboxes(**kwargs) -> None:
    from studio.runs import sandboxes

    sandboxes.warm.close()


def send(run: Run) -> None:
    """Offer a queued run to the workers; if the broker is away, the reaper does it again."""
    try:
        execute.delay(str(run.pk))
    except OperationalError as error:
        logger.error("Run %s waits until the broker is back: %s", run.pk, error)
    else:
        Run.objects.filter(pk=run.pk).update(sent=Now())
