"""How often somebody may ask: counted per user and minute, for all processes together."""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from studio.accounts.models import User
from studio.api.problems import TooManyRequests

logger = logging.getLogger(__name__)

WINDOW = 60


def count(user: User) -> None:
    """Count a request.

    Raises:
        TooManyRequests: there were too many in this minute.
    """
    now = time.time()
    key = f"api-{user.pk}-{int(now // WINDOW)}"
    try:
        cache.add(key, 0, 2 * WINDOW)
        asked = cache.incr(key)
    except ValueError:
        return  # It was dropped between the two: nobody counts on a cache to keep things.
    except RedisError as error:
        logger.warning("Requests are not counted: %s", error)
        return
    if asked > settings.API_RATE:
        raise TooManyRequests(WINDOW - now % WINDOW)
