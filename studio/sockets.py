"""What the sockets of all pages have in common: one task that tells, and how they close."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from contextlib import suppress

from channels.generic.websocket import AsyncWebsocketConsumer

logger = logging.getLogger(__name__)

OVER = 1000
NOT_FOUND = 4404
TRY_AGAIN = 1011


class TellingConsumer(AsyncWebsocketConsumer, ABC):
    """A socket that is accepted at once and closes with the code that `tell` comes back with.

    Everything that goes out goes out of that one task; a reader that stalls holds up nobody else.
    With `listens_to` it hears what is sent to that group, which it joins before it begins to tell.
    """

    async def connect(self) -> None:
        self.group = await self.listens_to()
        if self.group:
            await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        self.telling = asyncio.create_task(self.tell_and_close())

    async def disconnect(self, code: int) -> None:
        self.telling.cancel()
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def tell_and_close(self) -> None:
        code = TRY_AGAIN
        try:
            code = await self.tell()
        except OSError:
            pass  # The reader has gone while something was on its way.
        except Exception:
            logger.exception("The socket of %s broke", self.group or type(self).__name__)
        with suppress(OSError):
            await self.close(code)

    async def listens_to(self) -> str | None:
        return None

    @abstractmethod
    async def tell(self) -> int:
        """Say what there is to say until nothing more can come; how to close then."""


class NowhereConsumer(TellingConsumer):
    """Where no socket is: closes with 4404."""

    async def tell(self) -> int:
        return NOT_FOUND
