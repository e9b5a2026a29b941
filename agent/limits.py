"""How far a run may go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds, bytes and counts; every read from a sandbox or a model is bounded by one.

    The first four are the budget of a run, for which it pauses: turns, wall time, tokens in and
    out, and money in the currency of the model's prices; None is no limit.
    """

    turns: int = 100
    seconds: float = 1800.0
    tokens: int | None = None
    cost: float | None = None
    command_seconds: float = 300.0
    output_chars: int = 16_000
    output_lines: int = 400
    artifact_bytes: int = 1 << 30
    artifacts: int = 500
    workspace_bytes: int = 1 << 30
