"""What the request behind a file asks for, if it can only be about this file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from agent.expected import expected
from studio.artifacts.models import Version
from studio.runs.models import Run

# The kinds of files that it can be said of, the likeliest first.
MEANT: Mapping[str, tuple[str, ...]] = {
    "seconds": ("video", "audio", "midi"),
    "size": ("video", "image"),
    "paper": ("pdf",),
    "bleed": ("pdf",),
}


def asked(version: Version) -> dict[str, Any]:
    """The JSON of `inspect --asked`; empty if nothing is asked for."""
    if version.run is None:
        return {}
    meant = kinds_meant(version.run)
    wanted = expected(version.run.prompt).data()
    return {name: wanted[name] for name in wanted if meant.get(name) == version.artifact.kind}


def kinds_meant(run: Run) -> dict[str, str]:
    """Of which kind of file the request says what, where the run made just one of that kind."""
    shown = run.versions.filter(artifact__removed=False)
    there = Counter(shown.values_list("artifact__kind", flat=True))
    first = {name: next(filter(there.get, kinds), "") for name, kinds in MEANT.items()}
    return {name: kind for name, kind in first.items() if there[kind] == 1}
