"""JSON Lines: one event a line, with its time and kind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agent.events import Event
from agent.trajectories.timed import Timed, event


def line(at: str, happened: Event) -> str:
    """One event, with the end of its line."""
    whole = {"at": at, "kind": happened.kind, **happened.data()}
    return json.dumps(whole, ensure_ascii=False) + "\n"


def write(events: Iterable[Timed]) -> Iterator[str]:
    """The text, a line at a time."""
    return (line(at, happened) for at, happened in events)


def read(objects: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Timed]:
    """The events in the objects of lines, each with the name of its line.

    Raises:
        NotATrajectory: one of them is no event.
    """
    return [
        (
            str(found.get("at", "")),
            event(where, str(found.get("kind")), found),
        )
        for where, found in objects
    ]
