"""How long it takes from a file that is closed in the container to a page that knows of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from benchmarks.measure import Comparison, Measure, at_least, in_turn
from benchmarks.peer import Peer
from benchmarks.peers.writer import FILES, WRITER, closed
from benchmarks.server import Endpoint, bash
from benchmarks.studio import Studio
from sandbox_image.guest.watch import QUIET

ROUNDS = 5
PROMPT = "Write files."
FOLDER = "/workspace/output"


def measures() -> Iterator[Measure]:
    """B14."""
    with Endpoint() as endpoint, Studio(endpoint.url) as studio, Peer("polling") as peer:

        def ours() -> Sequence[float]:
            endpoint.script([bash(f"python3 -c '{WRITER}' {FOLDER}"), ("submit", {})])
            return arrivals(studio.ask(PROMPT))

        rounds = in_turn(ours, peer.samples, ROUNDS)
    what = f"a file closed to the page's message, less {QUIET:g} s at rest"
    yield Comparison("B14", what, "poll and get_archive", "ms", rounds, at_least(10))


def arrivals(messages: Iterator[dict[str, object]]) -> list[float]:
    """Milliseconds from the end of a file's rest to the message that names it."""
    came: dict[str, float] = {}
    printed = ""
    for message in messages:
        now = time.time()
        events = message.get("events", ())
        assert isinstance(events, list | tuple)
        for event in events:
            if event["kind"] == "artifact.saved":
                came[event["data"]["path"]] = now
            elif event["kind"] == "tool.printed":
                printed += event["data"]["text"]
    times = closed(printed)
    assert len(times) == FILES, printed
    return [(came[name] - at - QUIET) * 1000 for name, at in times.items()]
