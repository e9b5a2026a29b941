"""Containers that wait ready, so that a run need not wait for one to start."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from agent.errors import SandboxUnavailable
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import Container, remove
from agent.sandbox.orphans import WAITING_SECONDS

logger = logging.getLogger(__name__)

# An engine gains nothing from more than this many starts at once.
WIDTH = 4
LOOK_SECONDS = 10.0
# A run that just took a container has better use for the processor than starting the next: while
# others wait that takes a second, after the last one a moment.
PAUSE_SECONDS, MOMENT_SECONDS = 1.0, 0.1
# A container older than this gives way to a fresh one, long before the reaper takes it for lost.
OLDEST_SECONDS = WAITING_SECONDS / 2


class Pool:
    """Keeps `size` containers ready, each for one run; a context manager that leaves none.

    `start` makes one. When the engine is away it is asked again every ten seconds.
    """

    def __init__(
        self, start: Callable[[Confinement], Container], confinement: Confinement, size: int
    ) -> None:
        self._start, self._confinement, self._size = start, confinement, size
        self._ready: deque[tuple[float, Container]] = deque()
        self._starting: set[Future[None]] = set()
        self._lock = threading.Lock()
        self._look, self._hurry = threading.Event(), threading.Event()
        self._closed = False
        self._starters = ThreadPoolExecutor(min(WIDTH, max(1, size)), "sandbox-start")
        self._keeper = threading.Thread(target=self._keep, name="sandbox-pool", daemon=True)

    def __enter__(self) -> Self:
        self._keeper.start()
        return self

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._closed = True
        self._look.set()
        self._hurry.set()
        self._keeper.join()
        # Those that are just being started are waited for, and then among the others.
        self._starters.shutdown(cancel_futures=True)
        with ThreadPoolExecutor(WIDTH, "sandbox-remove") as removers:
            for _, container in self._ready:
                removers.submit(_discard, container)
        self._ready.clear()

    def take(self, confinement: Confinement) -> Container | None:
        """A ready container of this confinement, the taker's to remove; None if there is none."""
        with self._lock:
            if confinement != self._confinement or not self._ready or self._closed:
                return None
            _, container = self._ready.popleft()
            if not self._ready:
                self._hurry.set()
        self._look.set()
        return container

    def ready(self) -> int:
        """How many wait now."""
        with self._lock:
            return len(self._ready)

    def _keep(self) -> None:
        while True:
            self._look.clear()
            self._hurry.clear()
            # Not before they are cleared: who closes says so and then sets them.
            if self._closed:
                return
            for container in self._spent():
                _discard(container)
            self._refill()
            self._look.wait(LOOK_SECONDS)
            self._hurry.wait(PAUSE_SECONDS)
            time.sleep(MOMENT_SECONDS)

    def _spent(self) -> list[Container]:
        """Containers that ended or are too old, taken out."""
        with self._lock:
            waiting = list(self._ready)
            spent = [
                item
                for item in waiting
                if time.monotonic() - item[0] > OLDEST_SECONDS or item[1].channel.ended()
            ]
            self._ready = deque(item for item in waiting if item not in spent)
        return [container for _, container in spent]

    def _refill(self) -> None:
        with self._lock:
            missing = self._size - len(self._ready) - len(self._starting)
            for _ in range(0 if self._closed else missing):
                future = self._starters.submit(self._add)
                self._starting.add(future)
                future.add_done_callback(self._starting.discard)

    def _add(self) -> None:
        try:
            container = self._start(self._confinement)
        except SandboxUnavailable as error:
            logger.warning("No sandbox could be made ready: %s", error)
            return
        with self._lock:
            self._ready.append((time.monotonic(), container))


def _discard(container: Container) -> None:
    try:
        remove(container)
    except SandboxUnavailable as error:
        logger.warning("A waiting sandbox could not be removed: %s", error)
