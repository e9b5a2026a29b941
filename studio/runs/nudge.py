"""Tell open pages that there is news. What is told may be lost, doubled or late: it is no data."""

from __future__ import annotations

import asyncio
import functools
import logging
import threading
import time
import uuid
from functools import partial
from typing import Any, Literal

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from agent.hints import Glimpse, Hint, Rendering, Waiting

logger = logging.getLogger(__name__)

HINT_SECONDS = 0.2
WAITING_SECONDS = 1.0
HINT_CHARS = 4000

Kind = Literal["typing", "thinking", "waiting", "rendering", "glimpse"]
PATH_CHARS = 500


def group(run_id: uuid.UUID) -> str:
    return f"run.{run_id.hex}"


def nudge(run_id: uuid.UUID) -> None:
    """Whoever watches this run should look into the database."""
    _send(run_id, {"type": "run.nudge"})


def hint(run_id: uuid.UUID, after: int, kind: Kind, **said: Any) -> None:
    """Show what the model is typing or thinking (`text`), that it is waited for (`why`, and for
    how many `seconds`), how far a command has come (`fraction`, `note`), or what it makes (`path`,
    `digest`, `media`); nobody keeps it. `after` is the number of the run's last event by then.
    """
    _send(run_id, {"type": "run.hint", "hint": {"kind": kind, "after": after, **said}})


class Hints:
    """Passes on what a run has only for show, no more of it than people can read."""

    def __init__(self, run_id: uuid.UUID) -> None:
        self._run_id = run_id
        self._shown_at: dict[Kind, float] = {}

    def show(self, item: Hint | Waiting | Rendering | Glimpse, after: int) -> None:
        """Pass on what came after the run's event of that number."""
        tell = partial(hint, self._run_id, after)
        match item:
            case Waiting() if self._due("waiting", WAITING_SECONDS):
                tell("waiting", why=item.why, seconds=item.seconds)
            case Rendering() if self._due("rendering", WAITING_SECONDS):
                tell("rendering", fraction=item.fraction, note=item.note)
            case Glimpse():  # They are rare enough.
                about = {"path": item.path[-PATH_CHARS:], "digest": item.digest}
                tell("glimpse", **about, media=item.media)
            case Hint():
                kind: Kind = "thinking" if item.thinking else "typing"
                if self._due(kind, HINT_SECONDS):
                    tell(kind, text=item.text[-HINT_CHARS:])

    def _due(self, kind: Kind, pause: float) -> bool:
        now = time.monotonic()
        if now - self._shown_at.get(kind, -pause) < pause:
            return False
        self._shown_at[kind] = now
        return True


def _send(run_id: uuid.UUID, message: dict[str, Any]) -> None:
    sending = get_channel_layer().group_send(group(run_id), message)
    try:
        asyncio.run_coroutine_threadsafe(sending, _loop()).result()
    except (RedisError, OSError) as error:
        logger.warning("No nudge for run %s: %s", run_id, error)


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop in which all threads send: each new one would connect to the broker anew."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="nudges", daemon=True).start()
    return loop
