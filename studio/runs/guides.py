"""The prompts of this installation: ours, and those that the operator puts in their place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from agent.prompts import Prompts


def own_prompts() -> Prompts:
    """The prompts of all runs of this process.

    Raises:
        BrokenPrompt: a file of the operator's cannot be used.
    """
    return _prompts(settings.PROMPTS)


@cache
def _prompts(folder: str) -> Prompts:
    return Prompts(Path(folder) if folder else None)
