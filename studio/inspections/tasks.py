"""What travels through the broker to the inspectors: a project's id. Losing it harms nothing."""

from __future__ import annotations

import logging

from celery import shared_task
from celery.signals import worker_shutting_down
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


@shared_task
def inspect(project_id: str) -> None:
    # Imported here because only inspectors need the engine's library.
    from studio.inspections import inspector

    inspector.inspect(project_id)


@worker_shutting_down.connect
def leave_files(**kwargs) -> None:
    """The inspector waits for its tasks when it goes; this makes them short."""
    from studio.inspections import inspector

    inspector.closing.set()


def send(project_id: str) -> None:
    """Tell of waiting files; if the broker is away, the reaper does it again."""
    try:
        inspect.delay(project_id)
    except OperationalError as error:
        logger.error("Files of %s wait until the broker is back: %s", project_id, error)
