"""The socket of a page of a project: it closes as soon as its reader may not look any more."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from channels.db import database_sync_to_async

from studio.accounts import signed_in
from studio.doors import Door, watched
from studio.projects.access import still_seen
from studio.sockets import NOT_FOUND, TRY_AGAIN, TellingConsumer


def doors(scope: dict[str, Any], project_id: str) -> dict[Door, int]:
    """By what rights somebody looks at a project, all of which are needed, and how their socket
    closes without each; none if they may not look at it.
    """
    user = scope["user"]
    if not user.is_authenticated or not still_seen({(user.pk, project_id)}):
        return {}
    seen = Door(still_seen, (user.pk, project_id))
    if "door" in scope:
        return {seen: NOT_FOUND, scope["door"]: NOT_FOUND}
    # Who signed in anew, or has another password now, comes again with another session.
    return {seen: NOT_FOUND, signed_in.door(scope): TRY_AGAIN}


class ProjectConsumer(TellingConsumer):
    """Says nothing, and closes with 4404 when there is no such project for this user (any more),
    or with 1011 when the reader should come again.
    """

    async def tell(self) -> int:
        project_id = self.scope["url_route"]["kwargs"]["project_id"]
        found = await database_sync_to_async(doors)(self.scope, project_id)
        if not found:
            return NOT_FOUND
        ended: asyncio.Queue[int] = asyncio.Queue()
        with watched({door: partial(ended.put_nowait, code) for door, code in found.items()}):
            return await ended.get()
