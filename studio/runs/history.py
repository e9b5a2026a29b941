"""What went before a run in its project."""

from __future__ import annotations

from agent.inputs import Exchange
from studio.runs.models import Run


def history(run: Run) -> list[Exchange]:
    """The earlier requests of the project, oldest first, and what came of them."""
    earlier = run.project.runs.filter(number__lt=run.number).prefetch_related("versions__artifact")
    return [
        Exchange(
            past.prompt,
            past.summary or past.message,
            tuple(sorted({version.artifact.path for version in past.versions.all()})),
        )
        for past in earlier
    ]
