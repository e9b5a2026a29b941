"""What workers do for the starting points: from time to time, and when they begin."""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings

from studio.starting import making


@shared_task
def make_next() -> None:
    making.step()


@worker_ready.connect
def try_again(sender, **kwargs) -> None:
    """What failed is tried once with each start. Who does not carry out runs leaves it alone."""
    carries_out = sender.app.conf.task_default_queue in sender.app.amqp.queues.consume_from
    if settings.STARTING_POINTS and carries_out:
        making.forget_failures()
