"""Pages about artifacts. Their bytes come from another origin: views here only point to it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from studio.artifacts import links
from studio.artifacts.models import Artifact
from studio.projects.views import own_project


def own_artifact(request: HttpRequest, project_id: str, path: str) -> Artifact:
    project = own_project(request, project_id)
    return get_object_or_404(project.artifacts.select_related("latest", "project"), path=path)


@require_GET
def card(request: HttpRequest, project_id: str, path: str) -> HttpResponse:
    artifact = own_artifact(request, project_id, path)
    links.sign(request, [artifact])
    return render(request, "artifacts/_card.html", {"artifact": artifact})


@require_GET
def detail(request: HttpRequest, project_id: str, path: str) -> HttpResponse:
    artifact = own_artifact(request, project_id, path)
    links.sign(request, [artifact])
    versions = list(artifact.versions.select_related("run"))
    for version in versions:
        version.signed_url = links.version_address(request, artifact, version)
    wanted = request.GET.get("v") or (artifact.latest and artifact.latest.digest)
    context = {
        "artifact": artifact,
        "versions": versions,
        "version": next((item for item in versions if item.digest == wanted), None),
        "kind": artifact.kind,
    }
    if context["version"] is None:
        return render(request, "404.html", status=404)
    return render(request, "artifacts/detail.html", context)


@never_cache
@require_GET
def open_file(request: HttpRequest, project_id: str, path: str) -> HttpResponse:
    """To the bytes: of version `v` if given, as a download if `download` is."""
    artifact = own_artifact(request, project_id, path)
    query = {name: request.GET[name] for name in ("v", "download") if name in request.GET}
    return redirect(links.address(request, project_id, artifact.path, **query))


@never_cache
@require_GET
def all_files(request: HttpRequest, project_id: str) -> HttpResponse:
    own_project(request, project_id)
    return redirect(links.address(request, project_id, "-/all.zip"))
