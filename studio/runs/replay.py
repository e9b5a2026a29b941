"""The page on which a finished run is watched once more."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from studio.artifacts import links
from studio.artifacts.models import Artifact
from studio.projects.access import project_of
from studio.runs.models import Run
from studio.web import UserRequest


@require_GET
def replay(request: UserRequest, project_id: str, number: int) -> HttpResponse:
    project = project_of(request.user, project_id)
    run = get_object_or_404(project.runs, number=number)
    if not run.over:
        return redirect(project)
    run.project = project
    artifacts = made(run)
    links.sign(request, artifacts)
    context = {"run": run, "events_url": run.events_url, "artifacts": artifacts}
    return render(request, "replay/page.html", context)


def made(run: Run) -> list[Artifact]:
    """The files that a run made or changed, each as it left them."""
    artifacts = []
    for version in run.versions.select_related("artifact").order_by("pk"):
        artifact = version.artifact
        artifact.latest = version
        artifacts.append(artifact)
    return artifacts
