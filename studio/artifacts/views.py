"""Pages about artifacts. Their bytes come from another origin: views here only point to it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.artifacts import links, restoring, viewers
from studio.artifacts.models import Version
from studio.artifacts.paging import around
from studio.artifacts.versions import numbered, told
from studio.endpoints import choices
from studio.projects import networks
from studio.projects.access import artifact_of, project_of
from studio.projects.models import Role
from studio.projects.views import forms_answer
from studio.runs.models import Status
from studio.web import UserRequest

# So many files on each side are named below a file.
BESIDE = 12
# What can be compared line by line; of pages and SVG that is the source.
POINTABLE = ("image", "svg", "video", "audio", "html")
TEXTS = ("text", "code", "markdown", "csv", "json", "html", "svg")


@require_GET
def card(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    artifact = artifact_of(request.user, project_id, path)
    links.sign(request, [artifact])
    return render(request, "artifacts/_card.html", {"artifact": artifact})


@require_GET
def detail(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """The viewer of one version: `?v=` or the newest, with the gallery's neighbours."""
    artifact = artifact_of(request.user, project_id, path)
    versions = told(request, artifact)
    wanted = request.GET.get("v")
    shown = next((item for item in versions if wanted in (None, item.digest)), None)
    if shown is None:
        raise Http404
    # Not saved: all that the page says about the artifact is about the version it shows.
    artifact.latest = shown
    links.sign(request, [artifact])
    newer, older = around(artifact.project.artifacts.shown(), artifact, BESIDE)
    own = [] if artifact.removed else [artifact]
    open_run = artifact.project.runs.exclude(status=Status.ENDED).first()
    # A recipe would not know what is meant, and a run at work is spoken to on its project's page.
    pointable = (
        artifact.kind in POINTABLE
        and choices.has_model()
        and shown == versions[0]
        and not (open_run and open_run.active)
    )
    context = {
        "artifact": artifact,
        "versions": versions,
        "version": shown,
        "before": versions[1] if len(versions) > 1 else None,
        "kind": artifact.kind,
        "network": networks.effective(artifact.project.network),
        "previous": newer[-1] if newer else None,
        "has_model": choices.has_model(),
        "open_run": open_run,
        "starred": artifact.stars.filter(user=request.user).exists(),
        "pointable": pointable,
        "pinned": wanted is not None and shown != versions[0],
        "next": older[0] if older else None,
        "strip": [*newer, *own, *older] if newer or older else [],
    }
    return viewers.page(request, artifact.kind, context)


@require_GET
def compare(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """Two versions side by side: numbers `a` and `b`, or the newest and the one before it."""
    artifact = artifact_of(request.user, project_id, path)
    versions = told(request, artifact)
    if not versions:
        raise Http404
    a = chosen(versions, request.GET.get("a"), min(1, len(versions) - 1))
    b = chosen(versions, request.GET.get("b"), 0)
    context = {
        "artifact": artifact,
        "versions": versions,
        "a": a,
        "b": b,
        "sides": [{"mark": "A", "version": a}, {"mark": "B", "version": b}],
        "kind": artifact.kind,
        "texts": artifact.kind in TEXTS,
    }
    return render(request, "artifacts/compare.html", context)


def chosen(versions: list[Version], number: str | None, usual: int) -> Version:
    """The version of this number; the one at the place `usual` if none is asked for."""
    if number is None:
        return versions[usual]
    for version in versions:
        if str(version.number) == number:
            return version
    raise Http404


@require_POST
@forms_answer
def restore(request: UserRequest, project_id: str, path: str) -> str:
    """Bring version `version` back; the page that follows says so, and offers to undo it."""
    artifact = artifact_of(request.user, project_id, path, Role.EDITOR)
    back = restoring.restore(numbered(artifact, request.POST.get("version", "")))
    return f"{artifact.detail_url}?{urlencode({'back': back.number})}"


@never_cache
@require_GET
def open_file(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """To the bytes: of version `v` if given, as a download if `download` is."""
    artifact = artifact_of(request.user, project_id, path)
    query = {name: request.GET[name] for name in ("v", "download") if name in request.GET}
    shown = artifact.versions.filter(digest=query.get("v")).first()
    url = links.address(request, project_id, artifact.path, at=shown, through=None, **query)
    return redirect(url)


@never_cache
@require_GET
def all_files(request: UserRequest, project_id: str) -> HttpResponse:
    return zipped(request, project_id, "all.zip")


@never_cache
@require_GET
def whole_project(request: UserRequest, project_id: str) -> HttpResponse:
    return zipped(request, project_id, "project.zip")


def zipped(request: UserRequest, project_id: str, name: str) -> HttpResponse:
    project_of(request.user, project_id)
    return redirect(links.address(request, project_id, f".studio/{name}", lang=get_language()))
