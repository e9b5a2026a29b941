"""The page on which a finished run is watched once more."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from studio.artifacts import links
from studio.artifacts.models import Artifact, Version
from studio.projects.access import project_of
from studio.web import UserRequest


@require_GET
def replay(request: UserRequest, project_id: str, number: int) -> HttpResponse:
    project = project_of(request.user, project_id)
    run = get_object_or_404(project.runs, number=number)
    if not run.over:
        return redirect(project)
    run.project = project
    artifacts = made(run.versions.all())
    links.sign(request, artifacts)
    context = {"run": run, "events_url": run.events_url, "artifacts": artifacts}
    return render(request, "replay/page.html", context)


def made(versions: QuerySet[Version]) -> list[Artifact]:
    """The files of which a run left these versions, each as it left them."""
    artifacts = []
    for version in versions.select_related("artifact").order_by("pk"):
        artifact = version.artifact
        artifact.latest = version
        artifacts.append(artifact)
    return artifacts
