"""Tell open pages that there is news. What is told may be lost, doubled or late: it is no data."""

from __future__ import annotations

import logging
import uuid

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def group(run_id: uuid.UUID) -> str:
    return f"run.{run_id.hex}"


def nudge(run_id: uuid.UUID) -> None:
    """Whoever watches this run should look into the database."""
    _send(run_id, {"type": "run.nudge"})


def hint(run_id: uuid.UUID, text: str) -> None:
    """Show what the model is typing; nobody keeps it."""
    _send(run_id, {"type": "run.hint", "text": text})


def _send(run_id: uuid.UUID, message: dict[str, str]) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group(run_id), message)
    except (RedisError, OSError) as error:
        logger.warning("No nudge for run %s: %s", run_id, error)
