"""How many of one user's deliveries are tried at once, for all workers together: whose addresses
answer late, or never, holds up nobody else's.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

MOST = 4
# That of a process that died is free again by itself.
LEASE = 60


@contextmanager
def turn(user_id: int) -> Iterator[bool]:
    """Whether one more may be tried now, which then counts until the end of this."""
    turns = [f"deliver-{user_id}-{number}" for number in range(MOST)]
    try:
        taken = next((each for each in turns if cache.add(each, 1, LEASE)), "")
    except RedisError as error:
        logger.warning("Deliveries are not counted: %s", error)
        yield True
        return
    try:
        yield bool(taken)
    finally:
        if taken:
            give_back(taken)


def give_back(taken: str) -> None:
    try:
        cache.delete(taken)
    except RedisError as error:
        logger.warning("A turn is free in a minute only: %s", error)
