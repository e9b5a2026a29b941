"""What a measurement is: samples of ours and of a peer's, taken in turn, and what they must show.

Only ratios are judged: whatever else this machine does, it does to both sides of a round.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ROUNDS = 7

Samples = Sequence[float]
Round = tuple[Samples, Samples]


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on a ratio.

    `at_least(100)`: the peer's value is at least 100 times ours.
    `at_most(0.85)`: ours is at most 0.85 of the peer's.
    """

    bound: float
    upper: bool

    def ratio(self, ours: float, theirs: float) -> float:
        """The ratio that the bound is for."""
        return ours / theirs if self.upper else theirs / ours

    def met(self, ratio: float) -> bool:
        """Whether a ratio is within the bound."""
        return ratio <= self.bound if self.upper else ratio >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.upper else '≥'} {self.bound:.3g}×"


def at_least(bound: float) -> Target:
    """Ours is so many times better."""
    return Target(bound, upper=False)


def at_most(bound: float) -> Target:
    """Ours takes no more than such a part of the peer's."""
    return Target(bound, upper=True)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ours beside a peer's (`against`) in rounds of samples, all in `unit`."""

    name: str
    what: str
    against: str
    unit: str
    rounds: Sequence[Round]
    target: Target

    @property
    def ours(self) -> list[float]:
        return [sample for ours, _ in self.rounds for sample in ours]

    @property
    def theirs(self) -> list[float]:
        return [sample for _, theirs in self.rounds for sample in theirs]

    @property
    def ratio(self) -> float:
        """The median of the rounds' ratios of medians."""
        return statistics.median(
            self.target.ratio(statistics.median(ours), statistics.median(theirs))
            for ours, theirs in self.rounds
        )

    @property
    def met(self) -> bool:
        return self.target.met(self.ratio)


@dataclass(frozen=True, slots=True)
class Count:
    """How many were found of what there must be exactly `wanted` of."""

    name: str
    what: str
    found: int
    wanted: int

    @property
    def met(self) -> bool:
        return self.found == self.wanted


Measure = Comparison | Count


def p95(samples: Samples) -> float:
    """The smallest sample that 95 % of all do not exceed."""
    return sorted(samples)[math.ceil(0.95 * len(samples)) - 1]


def in_turn(
    ours: Callable[[], Samples], theirs: Callable[[], Samples], rounds: int = ROUNDS
) -> list[Round]:
    """Rounds of samples, A B A B; one round before them warms up and does not count."""
    return [(ours(), theirs()) for _ in range(rounds + 1)][1:]


def milliseconds(action: Callable[[], object]) -> float:
    """How long `action` takes."""
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000
