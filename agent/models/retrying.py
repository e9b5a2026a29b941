"""How long an endpoint is waited for, and when it is asked again."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from agent.errors import ModelUnavailable
from agent.hints import Waiting
from agent.models import Delta, Reply

HEART_BEAT = 0.4
LONGEST = 60.0

Pieces = Generator[Delta | Waiting | Reply, None, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that are waited: to connect, for the next byte, and for an answer as a whole.

    An endpoint is asked up to `tries` times, the last time within `again` seconds of the first
    failure. The first wait is up to `first` seconds where it does not say how long; later ones
    are up to twice as long each.
    """

    connect: float = 20.0
    idle: float = 300.0
    total: float = 1800.0
    tries: int = 8
    again: float = 300.0
    first: float = 1.0


class Trouble(Exception):
    """No answer this time, but there may be one later.

    The message is that of the `ModelUnavailable` it becomes when it stays. `after` are the
    seconds that the endpoint asks for. What is `broken` may have begun well: it is asked for
    again at once, and not as often, since each answer costs. Where it has `begun`, a `Waiting`
    tells that what was shown of it counts no more.
    """

    def __init__(
        self,
        why: Literal["busy", "error", "connection"],
        message: str,
        *,
        after: float | None = None,
        broken: bool = False,
        begun: bool = False,
    ) -> None:
        super().__init__(message)
        self.why, self.after, self.broken, self.begun = why, after, broken, begun
        self.tries = 3 if broken else 6 if why == "connection" else None


def patiently(ask: Callable[[], Pieces], patience: Patience) -> Pieces:
    """Ask until there is an answer.

    Raises:
        ModelUnavailable: there is none in reasonable time.
    """
    failures, until = 0, 0.0
    while True:
        try:
            yield from ask()
        except Trouble as trouble:
            failures += 1
            until = until or time.monotonic() + patience.again
            wait = _pause(trouble, failures, patience)
            tries = min(patience.tries, trouble.tries or patience.tries)
            if failures >= tries or time.monotonic() + wait > until:
                raise ModelUnavailable(str(trouble)) from None
            why, begun = trouble.why, trouble.begun
        else:
            return
        if begun and not wait:
            yield Waiting(why, wait)
        yield from _waiting(why, wait)


def _pause(trouble: Trouble, failures: int, patience: Patience) -> float:
    """Seconds until the next try: by chance, so that those who failed together do not return so."""
    if trouble.after is not None:
        return trouble.after * random.uniform(1, 1.1)
    if trouble.broken and failures == 1:
        return 0.0
    return random.uniform(0, min(LONGEST, patience.first * 2 ** (failures - 1)))


def _waiting(why: Literal["busy", "error", "connection"], seconds: float) -> Pieces:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        yield Waiting(why, left)
        time.sleep(min(left, HEART_BEAT))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that an endpoint asks to be left in peace, if it says so sensibly."""
    for name, scale in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / scale
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (date.astimezone(UTC) - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
