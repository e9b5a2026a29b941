"""What a run may spend and has spent."""

from __future__ import annotations

import time
from dataclasses import replace

from agent.errors import LimitReached
from agent.events import Reason, RunPaused, Usage
from agent.limits import Limits

TOLD_AT_TURNS = {20, 10, 5, 3, 2, 1}
TOLD_BELOW_SECONDS = 120


def extended(limits: Limits, paused: RunPaused) -> Limits:
    """What a whole run may spend that paused and goes on: as much again as `limits`."""
    used = paused.usage
    return replace(
        limits,
        turns=paused.turns + limits.turns,
        seconds=paused.seconds + limits.seconds,
        tokens=None if limits.tokens is None else used.tokens + limits.tokens,
        cost=None if limits.cost is None else used.cost + limits.cost,
    )


class Budget:
    """Turns, wall time, tokens and money of one run, from `paused` on if it goes on after that."""

    def __init__(self, limits: Limits, paused: RunPaused | None = None) -> None:
        self.turns = paused.turns if paused else 0
        self.usage = paused.usage if paused else Usage()
        self._limits = limits
        self._began = time.monotonic() - (paused.seconds if paused else 0.0)

    @property
    def seconds(self) -> float:
        """Of work so far; a pause does not count."""
        return round(time.monotonic() - self._began, 3)

    @property
    def seconds_left(self) -> float:
        return self._limits.seconds - self.seconds

    def spend(self, usage: Usage) -> None:
        """Count what an answer of the model took."""
        self.usage += usage

    def check(self) -> None:
        """Say whether work may go on.

        Raises:
            LimitReached: the time is used up.
        """
        if self.seconds_left <= 0:
            minutes = self._limits.seconds / 60
            raise LimitReached(Reason.TIME_LIMIT, f"The {minutes:g} minutes are used up.")

    def check_turn(self) -> None:
        """Say whether the model may be asked once more.

        Raises:
            LimitReached: something is used up.
        """
        self.check()
        limits, used = self._limits, self.usage
        if self.turns >= limits.turns:
            raise LimitReached(Reason.TURN_LIMIT, f"All {limits.turns} turns are used up.")
        if limits.tokens is not None and used.tokens >= limits.tokens:
            raise LimitReached(Reason.TOKEN_LIMIT, f"The {limits.tokens:,} tokens are used up.")
        if limits.cost is not None and used.cost >= limits.cost:
            raise LimitReached(Reason.COST_LIMIT, f"The cost has reached {used.cost:.2f}.")

    def warning(self) -> str:
        """A word for the model about what is left, when it matters; else nothing."""
        if (left := self._limits.turns - self.turns) in TOLD_AT_TURNS:
            return f"[{left} turn{'s' if left > 1 else ''} left]"
        if self.seconds_left < TOLD_BELOW_SECONDS:
            left = round(max(0, self.seconds_left))
            return f"[{left} s left: put what you have into output and submit]"
        return ""
