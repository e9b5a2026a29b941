"""What is being made while a command runs, into the store for a page to show: rarely enough."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from agent.capture import Capture, printable
from agent.errors import ToolError
from agent.hints import Glimpse
from agent.sandbox import Media, Sandbox
from agent.store import ArtifactStore

LIMITS: dict[Media, int] = {"image": 4 << 20, "audio": 30 << 20}
EVERY_SECONDS = 2.0
TIME_SHARE, LONGEST_SECONDS = 0.02, 10.0
BYTES_A_SECOND = 250_000


class Glimpses:
    """Looks for a picture and for a sound in turn, each at most every two seconds; for nothing
    where there is no store.

    It takes a fiftieth of the time, or on a machine so busy that this would be rare, looks every
    ten seconds; and no more bytes than `BYTES_A_SECOND`: what follows a large picture waits longer.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        store: ArtifactStore | None,
        capture: Capture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sandbox = sandbox
        self._store = store
        self._capture = capture
        self._clock = clock
        self._due = clock() + EVERY_SECONDS

    def look(self) -> Iterator[Glimpse]:
        """What has come since, if it is time. What cannot be had is left out."""
        began = self._clock()
        if self._store is None or began < self._due:
            return
        taken = 0
        for media in LIMITS:
            with contextlib.suppress(ToolError, OSError):
                if glimpse := self._glimpse(media, self._store):
                    taken += glimpse.size
                    yield glimpse
        now = self._clock()
        rest = min(LONGEST_SECONDS, (now - began) / TIME_SHARE)
        self._due = now + max(EVERY_SECONDS, rest, taken / BYTES_A_SECOND)

    def _glimpse(self, media: Media, store: ArtifactStore) -> Glimpse | None:
        """The newest of that medium, stored; not if it is among the files that are made."""
        seen = self._sandbox.glimpse(media, LIMITS[media])
        if seen is None:
            return None
        with contextlib.closing(seen.chunks) as chunks:
            blob = store.put(chunks)
        if blob.digest in self._capture.digests:
            return None
        return Glimpse(printable(seen.path), blob.digest, blob.size, media)
