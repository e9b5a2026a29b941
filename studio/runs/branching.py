"""A request that goes on from an earlier one: what came after that is set aside, not lost."""

from __future__ import annotations

from django.db.models import Max

from agent.store import Blob
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import Artifact, Version
from studio.projects.models import Project
from studio.runs.models import Event, Run


def lineage(run: Run) -> list[Run]:
    """The earlier runs that it builds upon, oldest first."""
    earlier = {past.number: past for past in run.project.runs.filter(number__lt=run.number)}
    by_id = {past.pk: past for past in earlier.values()}
    found: list[Run] = []
    while past := by_id.get(run.base_id) if run.base_id else earlier.get(run.number - 1):
        found.insert(0, past)
        run = past
    return found


def root(run: Run) -> int:
    """The number of the last run up to this one that began from an earlier one; else 0.

    The workspaces of those before it are of other files.
    """
    branches = run.project.runs.filter(number__lte=run.number, base__isnull=False)
    return branches.aggregate(last=Max("number"))["last"] or 0


def go_back(project: Project, base: Run) -> None:
    """Make the files those that `base` left: newer versions stay among the older ones."""
    left = _versions(project, base)
    gone = _removed(project, base)
    for artifact in project.artifacts.select_related("latest"):
        version = left.get(artifact.pk)
        if version is None or artifact.path in gone:
            Artifact.objects.filter(pk=artifact.pk).update(removed=True)
        elif artifact.latest_id != version.pk:
            blob = Blob(version.digest, version.size)
            keep_version(project.pk, artifact.path, blob, source=version)
        elif artifact.removed:
            Artifact.objects.filter(pk=artifact.pk).update(removed=False)


def _versions(project: Project, base: Run) -> dict[int, Version]:
    """Each artifact's newest version by then."""
    by_then = Version.objects.filter(artifact__project=project, created__lte=base.ended)
    return {version.artifact_id: version for version in by_then.order_by("number")}


def _removed(project: Project, base: Run) -> set[str]:
    """The paths of files that were not there any more by then."""
    told = Event.objects.filter(
        run__project=project,
        kind__in=("artifact.saved", "artifact.removed"),
        at__lte=base.ended,
    )
    last = {
        data["path"]: kind for kind, data in told.order_by("at", "pk").values_list("kind", "data")
    }
    return {path for path, kind in last.items() if kind == "artifact.removed"}
