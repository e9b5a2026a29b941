"""Sandboxes that wait: what they take, and how many there can be."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import boxes
from benchmarks.engine import engine_bytes, memory_bytes
from benchmarks.measure import Comparison, Count, Measure, at_most

IDLE, ALL = 100, 256
PAPER = 50.0
MEGABYTE = 1e6


def measures() -> Iterator[Measure]:
    """B7: 100 sandboxes beside the paper's 50 MB, alone and with the engine's share; then 256."""
    without = engine_bytes([])
    with boxes.many(IDLE) as idle:
        names = [box.name for box in idle]
        alone = [memory_bytes(name) / MEGABYTE for name in names]
        share = (engine_bytes(names) - without) / IDLE / MEGABYTE
        yield Comparison(
            "B7", "memory, idle", "the paper", "MB", [(alone, [PAPER])], at_most(1 / 6)
        )
        yield Comparison(
            "B7",
            "memory, idle, with the engine's",
            "the paper",
            "MB",
            [([own + share for own in alone], [PAPER])],
            at_most(1 / 4),
        )
        with boxes.many(ALL - IDLE) as more:
            answers = [boxes.run(boxes.bash(box), "echo here") for box in (*idle, *more)]
            yield Count("B7", "idle at once, and answering", answers.count("here"), ALL)
