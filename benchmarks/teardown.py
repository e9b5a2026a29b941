"""Removing a sandbox, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks import boxes
from benchmarks.engine import belongings, left_since
from benchmarks.measure import Comparison, Count, Measure, at_least, in_turn, milliseconds
from benchmarks.peer import Peer

ROUNDS = 5


def measures() -> Iterator[Measure]:
    """B5: leaving the `with` of a sandbox whose shell has worked."""

    def ours() -> Sequence[float]:
        box = boxes.new()
        box.__enter__()
        boxes.run(boxes.bash(box), "sleep 60 &")
        return [milliseconds(lambda: box.__exit__())]

    before = belongings()
    with Peer("llm_in_sandbox") as peer:
        rounds = in_turn(ours, lambda: peer.samples(times=1), ROUNDS)
    yield Comparison("B5", "teardown", "llm-in-sandbox", "ms", rounds, at_least(25))
    left = left_since(before)
    yield Count("B5", "left on the engine by these teardowns", len(left), 0)
