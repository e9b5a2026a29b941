"""What somebody has open ends when they may not look any more: whoever decided so, and however.

Nobody needs to tell of it. Each kind of right has one question to the database that is asked for
all open sockets of a process together, twice a second.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5

# Of these, those that are still good.
StillGood = Callable[[Collection[Any]], set[Any]]
Shut = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Door:
    """A right by which something is open: `key` tells `still_good` which one it is."""

    still_good: StillGood
    key: Hashable


@dataclass
class Keeper:
    """Looks after the open doors of one event loop, as long as there are any."""

    open: dict[Door, list[Shut]] = field(default_factory=lambda: defaultdict(list))
    task: asyncio.Task[None] | None = None

    async def watch(self) -> None:
        while self.open:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                shut = await database_sync_to_async(self.no_longer_good)([*self.open])
            except Exception:
                # Whatever it was: who stops to ask leaves all that is open as it is.
                logger.exception("Nobody knows who may still look")
                continue
            for door in shut:
                for each in [*self.open.get(door, ())]:
                    each()

    def no_longer_good(self, doors: Collection[Door]) -> list[Door]:
        keys = defaultdict(set)
        for door in doors:
            keys[door.still_good].add(door.key)
        good = {question: question(asked) for question, asked in keys.items()}
        return [door for door in doors if door.key not in good[door.still_good]]


_keepers: WeakKeyDictionary[asyncio.AbstractEventLoop, Keeper] = WeakKeyDictionary()


@contextmanager
def watched(doors: Mapping[Door, Shut]) -> Iterator[None]:
    """Until the end of this, calls what belongs to a door when that is not good any more, and may
    call it again.
    """
    loop = asyncio.get_running_loop()
    keeper = _keepers.setdefault(loop, Keeper())
    for door, shut in doors.items():
        keeper.open[door].append(shut)
    if keeper.task is None or keeper.task.done():
        # In a context of its own: it outlives the request that comes first.
        keeper.task = loop.create_task(keeper.watch(), context=Context())
    try:
        yield
    finally:
        for door, shut in doors.items():
            keeper.open[door].remove(shut)
            if not keeper.open[door]:
                del keeper.open[door]
