"""What went before a run in its project."""

from __future__ import annotations

from django.db.models import prefetch_related_objects

from agent.inputs import Exchange
from studio.runs.branching import lineage
from studio.runs.models import Event, Run


def history(run: Run) -> list[Exchange]:
    """The earlier requests that it builds upon, oldest first, and what came of them.

    What the user said while one of them went on is a part of it.
    """
    earlier = lineage(run)
    prefetch_related_objects(earlier, "versions__artifact")
    said = Event.objects.filter(run__in=earlier, kind="user.steered").values_list("run", "data")
    texts: dict[object, list[str]] = {}
    for run_id, data in said:
        texts.setdefault(run_id, []).append(data["text"])
    return [
        Exchange(
            "\n\n".join([past.prompt, *texts.get(past.pk, [])]),
            past.summary or past.message,
            tuple(sorted({version.artifact.path for version in past.versions.all()})),
        )
        for past in earlier
    ]
