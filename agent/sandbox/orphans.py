"""What crashed or killed workers left on the engine: which of it no run needs, and its end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agent.sandbox.docker import (
    INSTALLATION_LABEL,
    NAME_LABEL,
    RUN_LABEL,
    engine,
    remove_container,
    remove_network,
)

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


def reap(installation: str, in_use: Callable[[], Collection[str]] | None = None) -> int:
    """Remove an installation's sandboxes, with their proxies and networks, that no run needs.

    `in_use` names the active runs and their sandboxes. It is asked after the engine, so no run
    can begin in between. Without it everything goes, what waits for a run, too.

    Returns:
        How many containers there were.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    labelled = _labelled(installation)
    with engine() as client:
        containers = [_listed(item) for item in client.api.containers(all=True, filters=labelled)]
        networks = [_listed(item) for item in client.api.networks(filters=labelled)]
        if in_use is not None:
            now = seconds(client.info()["SystemTime"])
            containers, networks = orphans(containers, networks, in_use(), now)
        for item in containers:
            remove_container(client, item.id)
        for item in networks:
            remove_network(client, item.id)
        return len(containers)


def running(installation: str) -> list[Listed]:
    """An installation's containers that run now on this engine.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    with engine() as client:
        return [_listed(item) for item in client.api.containers(filters=_labelled(installation))]


def _labelled(installation: str) -> dict[str, str]:
    return {"label": f"{INSTALLATION_LABEL}={installation}"}


def _listed(item: dict[str, Any]) -> Listed:
    """A container, or a network, of the engine's list."""
    created = item["Created"]
    return Listed(
        id=item["Id"],
        sandbox=item["Labels"].get(NAME_LABEL, ""),
        run=item["Labels"].get(RUN_LABEL),
        created=seconds(created) if isinstance(created, str) else float(created),
        running=item.get("State") == "running",
    )
