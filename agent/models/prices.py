"""What a model's tokens cost."""

from __future__ import annotations

from dataclasses import dataclass

from agent.events import Usage

PER = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """For a million tokens each, in whatever currency the operator reckons in.

    Cached tokens cost as much as others where nothing else is said.
    """

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None

    def cost(self, usage: Usage) -> float:
        """Of these tokens."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, usage.input - usage.cached)
        return (fresh * self.input + usage.cached * cached + usage.output * self.output) / PER
