"""What is done from time to time, whoever looks on."""

from __future__ import annotations

import logging

from celery import shared_task

from studio.accounts import seen
from studio.artifacts import trash as files
from studio.library import indexing
from studio.projects import trash as projects

logger = logging.getLogger(__name__)


@shared_task
def tidy() -> None:
    """Empty the trash of what is old, forget who was here in sessions that are over, and make
    files findable that are not yet.
    """
    if gone := projects.purge():
        logger.info("Deleted %d projects for good", gone)
    if gone := files.purge():
        logger.info("Deleted %d files for good", gone)
    if gone := seen.forget():
        logger.info("Forgot %d sessions that are over", gone)
    while indexing.mend():
        pass
