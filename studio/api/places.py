"""How many streams and sockets the programs of one user may hold open at once, for all processes
together.

A place is a key in the cache that is gone after a minute unless whoever holds it renews it: that of
a process that died is free again by itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

from django.core.cache import cache
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from studio.accounts.models import User
from studio.api.problems import Refused

logger = logging.getLogger(__name__)

MOST = 20
LEASE = 60


async def take(user: User) -> str:
    """A place for one more; empty when the cache is away, and nobody is counted.

    Raises:
        Refused: all are taken.
    """
    try:
        for number in range(MOST):
            place = f"stream-{user.pk}-{number}"
            if await cache.aadd(place, 1, LEASE):
                return place
    except RedisError as error:
        logger.warning("Streams are not counted: %s", error)
        return ""
    told = _("You follow %(most)d runs already. End one of these streams, then try again.")
    headers = {"Retry-After": str(LEASE)}
    raise Refused("too_many_streams", told % {"most": MOST}, 429, headers)


@asynccontextmanager
async def kept(place: str) -> AsyncIterator[None]:
    """Holds a place that was taken, and gives it back."""
    renewing = asyncio.create_task(_renew(place))
    try:
        yield
    finally:
        renewing.cancel()
        try:
            await cache.adelete(place)
        except RedisError as error:
            logger.warning("A place is free in a minute only: %s", error)


async def told(place: str, pieces: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    """A stream that holds a place from its first piece to its last."""
    async with kept(place), aclosing(pieces):
        async for piece in pieces:
            yield piece


async def _renew(place: str) -> None:
    while True:
        await asyncio.sleep(LEASE / 3)
        try:
            await cache.atouch(place, LEASE)
        except RedisError as error:
            logger.warning("A place is not renewed: %s", error)
