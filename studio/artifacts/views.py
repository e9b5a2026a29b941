"""Pages about artifacts. Their bytes come from another origin: views here only point to it."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from studio.artifacts import links, viewers
from studio.artifacts.versions import own_artifact, told
from studio.endpoints import choices
from studio.projects import networks
from studio.projects.views import own_project
from studio.runs.models import Status
from studio.web import UserRequest


@require_GET
def card(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    artifact = own_artifact(request, project_id, path)
    links.sign(request, [artifact])
    return render(request, "artifacts/_card.html", {"artifact": artifact})


@require_GET
def detail(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """The viewer of one version: `?v=` or the newest, with the gallery's neighbours."""
    artifact = own_artifact(request, project_id, path)
    versions = told(request, artifact)
    wanted = request.GET.get("v")
    shown = next((item for item in versions if wanted in (None, item.digest)), None)
    if shown is None:
        raise Http404
    # Not saved: all that the page says about the artifact is about the version it shows.
    artifact.latest = shown
    links.sign(request, [artifact])
    gallery = list(artifact.project.artifacts.shown())
    at = gallery.index(artifact) if artifact in gallery else len(gallery)
    context = {
        "artifact": artifact,
        "versions": versions,
        "version": shown,
        "before": versions[1] if len(versions) > 1 else None,
        "kind": artifact.kind,
        "network": networks.effective(artifact.project.network),
        "previous": gallery[at - 1] if at else None,
        "has_model": choices.has_model(),
        "open_run": artifact.project.runs.exclude(status=Status.ENDED).first(),
        "pinned": wanted is not None and shown != versions[0],
        "next": gallery[at + 1] if at + 1 < len(gallery) else None,
    }
    return viewers.page(request, artifact.kind, context)


@never_cache
@require_GET
def open_file(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """To the bytes: of version `v` if given, as a download if `download` is."""
    artifact = own_artifact(request, project_id, path)
    query = {name: request.GET[name] for name in ("v", "download") if name in request.GET}
    shown = artifact.versions.filter(digest=query.get("v")).first()
    return redirect(links.address(request, project_id, artifact.path, at=shown, **query))


@never_cache
@require_GET
def all_files(request: UserRequest, project_id: str) -> HttpResponse:
    return zipped(request, project_id, "all.zip")


@never_cache
@require_GET
def whole_project(request: UserRequest, project_id: str) -> HttpResponse:
    return zipped(request, project_id, "project.zip")


def zipped(request: UserRequest, project_id: str, name: str) -> HttpResponse:
    own_project(request, project_id)
    return redirect(links.address(request, project_id, f".studio/{name}", lang=get_language()))
