"""What travels through the broker to the inspectors: that files wait. Losing it harms nothing."""

from __future__ import annotations

import logging

from celery import shared_task
from celery.signals import worker_shutting_down
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


# Behind what people wait for in the same queue.
PRIORITY = 9


@shared_task
def inspect() -> None:
    # Imported here because only inspectors need the engine's library.
    from studio.inspections import inspector

    inspector.take_turn()


@worker_shutting_down.connect
def leave_files(**kwargs) -> None:
    """The inspector waits for its tasks when it goes; this makes them short."""
    from studio.inspections import inspector

    inspector.closing.set()


def send() -> None:
    """Tell that files wait; if the broker is away, the reaper does it again."""
    try:
        inspect.apply_async(priority=PRIORITY)
    except OperationalError as error:
        logger.error("Files wait to be inspected until the broker is back: %s", error)
