"""The socket of a page that a visitor has open: it hears at once when the share is closed."""

from __future__ import annotations

import asyncio
import json
import logging

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from studio.artifacts.links import Through
from studio.doors import Door, watched
from studio.sharing import reach, unlocking
from studio.sharing.models import Share
from studio.sharing.nudge import group

logger = logging.getLogger(__name__)

REREAD_SECONDS = 5.0
CLOSED = 4404
TRY_AGAIN = 1011
TOKEN_CHARS = 100


class ShareConsumer(AsyncWebsocketConsumer):
    """Says `{"stamp": …}` when a page would look otherwise, and closes with 4404 with the share.

    A nudge only says "look": that the share is open is read from the database, and again every
    few seconds, since nudges may be lost. That it has closed is noticed within a second.
    """

    came: Through | None = None

    async def connect(self) -> None:
        self.changed = asyncio.Event()
        share = await database_sync_to_async(self.find)()
        if share is None:
            await self.accept()
            await self.close(CLOSED)
            return
        self.came = reach.through(share)
        await self.channel_layer.group_add(group(share.pk), self.channel_name)
        await self.accept()
        self.telling = asyncio.create_task(self.tell(self.came))

    async def disconnect(self, code: int) -> None:
        if self.came:
            self.telling.cancel()
            await self.channel_layer.group_discard(group(self.came.share), self.channel_name)

    async def share_nudge(self, message: dict[str, str]) -> None:
        self.changed.set()

    def find(self) -> Share | None:
        token = self.scope["url_route"]["kwargs"]["token"][:TOKEN_CHARS]
        share = Share.objects.open().with_token(token).first()
        cookie = self.scope["cookies"].get(unlocking.COOKIE)
        return share if share and unlocking.unlocked(share, cookie) else None

    def look(self, came: Through) -> str | None:
        share = reach.still_open(came)
        return reach.stamp(share) if share else None

    async def tell(self, came: Through) -> None:
        code = TRY_AGAIN
        try:
            with watched({Door(reach.all_open, came): self.changed.set}):
                code = await self.tell_until_closed(came)
        except OSError:
            return  # The reader has gone while something was on its way.
        except Exception:
            logger.exception("The socket of share %s broke", came.share)
        await self.close(code)

    async def tell_until_closed(self, came: Through) -> int:
        told = ""
        while True:
            self.changed.clear()
            stamp = await database_sync_to_async(self.look)(came)
            if stamp is None:
                return CLOSED
            if stamp != told:
                await self.send(json.dumps({"stamp": stamp}))
                told = stamp
            try:
                await asyncio.wait_for(self.changed.wait(), REREAD_SECONDS)
            except TimeoutError:
                continue
