"""The socket of a page that a visitor has open: it hears at once when the share is closed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from channels.db import database_sync_to_async

from studio.artifacts.links import Through
from studio.doors import Door, watched
from studio.sharing import reach, unlocking
from studio.sharing.models import Share
from studio.sharing.nudge import group
from studio.sockets import NOT_FOUND, TellingConsumer

REREAD_SECONDS = 5.0


class ShareConsumer(TellingConsumer):
    """Says `{"stamp": …}` when a page would look otherwise, and closes with 4404 with the share.

    A nudge only says "look": that the share is open is read from the database, and again every
    few seconds, since nudges may be lost. That it has closed is noticed within a second.
    """

    async def listens_to(self) -> str | None:
        self.changed = asyncio.Event()
        share = await database_sync_to_async(self.find)()
        self.came = reach.through(share) if share else None
        return group(share.pk) if share else None

    async def share_nudge(self, message: dict[str, str]) -> None:
        self.changed.set()

    def find(self) -> Share | None:
        token = self.scope["url_route"]["kwargs"]["token"]
        share = Share.objects.open().with_token(token).first()
        cookie = self.scope["cookies"].get(unlocking.COOKIE)
        return share if share and unlocking.unlocked(share, cookie) else None

    def look(self, came: Through) -> str | None:
        share = reach.still_open(came)
        return reach.stamp(share) if share else None

    async def tell(self) -> int:
        if self.came is None:
            return NOT_FOUND
        with watched({Door(reach.all_open, self.came): self.changed.set}):
            return await self.tell_until_closed(self.came)

    async def tell_until_closed(self, came: Through) -> int:
        told = ""
        while True:
            self.changed.clear()
            stamp = await database_sync_to_async(self.look)(came)
            if stamp is None:
                return NOT_FOUND
            if stamp != told:
                await self.send(json.dumps({"stamp": stamp}))
                told = stamp
            with suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), REREAD_SECONDS)
