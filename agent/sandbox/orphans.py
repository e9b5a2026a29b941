"""Which of the engine's containers and networks no run needs any more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

# A pool gives a container away within half of this time: an older one waits for nobody.
WAITING_SECONDS = 3600.0
STARTING_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Listed:
    """A container or a network as the engine lists it.

    `sandbox` is the name of the sandbox that it belongs to, `run` the run that it was made for,
    empty if that was to be seen, and `created` a time of the engine's clock in seconds.
    """

    id: str
    sandbox: str
    run: str | None
    created: float
    running: bool = False


def seconds(told: str) -> float:
    """A moment as the engine writes it, with nanoseconds, in seconds."""
    whole, _, rest = told.partition(".")
    zone = rest.lstrip("0123456789")
    return datetime.fromisoformat(whole + zone).timestamp()


def orphans(
    containers: Sequence[Listed], networks: Sequence[Listed], in_use: Collection[str], now: float
) -> tuple[list[Listed], list[Listed]]:
    """Those that nobody needs; `in_use` names the active runs and their sandboxes.

    What was made for no run in particular may wait for one, or have been given to one a moment ago.
    """
    needed = [item for item in containers if _needed(item, in_use, now)]
    in_use = {*in_use, *(item.sandbox for item in needed)}
    return (
        [item for item in containers if item not in needed],
        [item for item in networks if not _needed(item, in_use, now)],
    )


def _needed(item: Listed, in_use: Collection[str], now: float) -> bool:
    if item.run in in_use or item.sandbox in in_use:
        return True
    patience = WAITING_SECONDS if item.running else STARTING_SECONDS
    return item.run == "" and now - item.created < patience
