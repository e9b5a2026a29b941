"""The image: everything that media need, beside the paper's, which has none of it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.engine import image_bytes
from benchmarks.measure import Comparison, Measure, at_most

PAPER = 1100.0
MEGABYTE = 1e6


def measures() -> Iterator[Measure]:
    """B8."""
    rounds = [([image_bytes() / MEGABYTE], [PAPER])]
    yield Comparison("B8", "the image", "the paper", "MB", rounds, at_most(1))
