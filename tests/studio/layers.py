"""A channel layer without a broker."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.layers import InMemoryChannelLayer


class ThreadsLayer(InMemoryChannelLayer):
    """In memory, and for several threads: what is sent is put down in the loop of who waits."""

    _loop: asyncio.AbstractEventLoop | None = None

    async def group_add(self, group: str, channel: str) -> None:
        self._loop = asyncio.get_running_loop()
        await super().group_add(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        sending, loop = super().group_send(group, message), self._loop
        if loop is None or not loop.is_running() or loop is asyncio.get_running_loop():
            await sending
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(sending, loop))
