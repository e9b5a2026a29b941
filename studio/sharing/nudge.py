"""Tell open pages that a share may have changed; they look into the database."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def group(share: int) -> str:
    return f"share.{share}"


def nudge(share: int) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group(share), {"type": "share.nudge"})
    except (RedisError, OSError) as error:
        logger.warning("No nudge for share %s: %s", share, error)
