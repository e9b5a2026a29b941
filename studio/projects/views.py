from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from agent.store import Blob
from studio.accounts.models import User
from studio.artifacts import links
from studio.artifacts.models import Artifact, Version
from studio.artifacts.paging import Place, behind, page
from studio.endpoints import choices
from studio.inspections import queue
from studio.notices.bell import bell
from studio.projects import duplicating, networks, quota, trash
from studio.projects.access import project_of, projects_of, trashed_of
from studio.projects.models import Input, Project, Role, title_from
from studio.projects.requests import (
    BadRequest,
    add_inputs,
    admit,
    begin_project,
    read_form,
    read_model,
    read_network,
)
from studio.runs import feed
from studio.runs.models import Run, Status
from studio.starting.shown import first_of_each_kind
from studio.web import UserRequest

# So many cards a page of the gallery has.
GALLERY = 18


def forms_answer(view):
    """Answer a form with its problem, or with a redirect to what the view returns, if anything."""

    @wraps(view)
    def answer(request: UserRequest, *args, **kwargs) -> HttpResponse:
        try:
            target = view(request, *args, **kwargs)
        except BadRequest as problem:
            return render(
                request, "_form_error.html", {"message": str(problem)}, status=problem.status
            )
        if not target:
            return HttpResponse(status=204)
        return HttpResponseClientRedirect(target) if request.htmx else redirect(target)

    return answer


def inputs_of(user: User, keys: Sequence[str]) -> list[Input]:
    """Those of these files that the user may see, to be given to a new project."""
    seen = Input.objects.filter(project__in=projects_of(user))
    return list(seen.filter(pk__in=[key[:18] for key in keys if key.isdecimal()]))


def with_covers(request: UserRequest, projects: Sequence[Project]) -> Sequence[Project]:
    """The same projects with their `cover` (newest visual artifact) and `open_run`, if any."""
    keys = [project.pk for project in projects]
    newest = Artifact.objects.shown().visual().filter(project=OuterRef("pk")).values("pk")[:1]
    cover_ids = Project.objects.filter(pk__in=keys).values_list(Subquery(newest), flat=True)
    covers = Artifact.objects.select_related("latest").filter(pk__in=list(cover_ids))
    links.sign(request, covers)
    by_project = {cover.project_id: cover for cover in covers}
    unfinished = Run.objects.filter(project__in=keys).exclude(status=Status.ENDED)
    runs = {run.project_id: run for run in unfinished}
    for project in projects:
        project.cover = by_project.get(project.pk)
        project.open_run = runs.get(project.pk)
    return projects


@require_GET
def start(request: UserRequest) -> HttpResponse:
    return start_page(request)


def start_page(request: UserRequest, written: str = "") -> HttpResponse:
    """The start, with a request `written` already."""
    context = {
        "written": written,
        "has_model": choices.has_model(),
        "starting": first_of_each_kind(request, get_language()),
        "models": choices.offered(""),
        "networks": networks.offered(networks.usual()),
        "recent_projects": with_covers(request, list(projects_of(request.user)[:6])),
        "reused": inputs_of(request.user, request.GET.getlist("file")),
    }
    return render(request, "start.html", context)


@require_GET
def project_list(request: UserRequest) -> HttpResponse:
    listed = Paginator(projects_of(request.user), 24).get_page(request.GET.get("page"))
    listed.object_list = with_covers(request, list(listed.object_list))
    asked = request.GET.get("deleted", "").replace("\0", "")
    deleted = trashed_of(request.user).filter(pk=asked).first()
    context = {"page_obj": listed, "deleted": deleted, "usage": quota.usage(request.user.pk)}
    return render(request, "projects/list.html", context)


@require_POST
@forms_answer
def create(request: UserRequest) -> str:
    prompt, uploads = read_form(request)
    network = read_network(request, networks.usual())
    model = read_model(request, "")
    admit(request.user.pk, uploads)
    with transaction.atomic():
        run = begin_project(request.user, prompt, uploads, network, model)
        reused = inputs_of(request.user, request.POST.getlist("reuse"))
        add_inputs(run.project, [(file.name, Blob(file.digest, file.size)) for file in reused])
    return run.project.get_absolute_url()


@require_GET
def detail(request: UserRequest, project_id: str) -> HttpResponse:
    project = project_of(request.user, project_id)
    made = Version.objects.filter(run=OuterRef("pk"))
    asked = project.runs.select_related("base").prefetch_related("words")
    runs = list(asked.annotate(made_files=Exists(made)))  # type: ignore[no-redef]
    open_run = next((run for run in runs if not run.over), None)
    shown = project.artifacts.shown()
    found = page(shown, GALLERY)
    links.sign(request, found.artifacts)
    count = len(found.artifacts) if found.next is None else shown.count()
    inputs = project.inputs.all()
    links.sign_inputs(request, inputs)
    context = {
        "project": project,
        "runs": runs,
        "artifacts": found.artifacts,
        "next": found.next,
        "file_count": count,
        "files_left": count - len(found.artifacts),
        "inputs": inputs,
        "inspecting": queue.open_in(runs[-1]) if runs else 0,
        "removed": project.artifacts.filter(removed=True, deleted=None, latest__isnull=False)
        .select_related("latest")
        .order_by("path"),
        "open_run": open_run,
        "pause": feed.pause(open_run) if open_run else None,
        "models": choices.offered(project.model),
        "lost_model": choices.lost(project.model),
        "usual_model": choices.model_name(),
        "networks": networks.offered(project.network),
        "lost_network": lost_network(project),
        **bell(request.user),
    }
    return render(request, "projects/detail.html", context)


@never_cache
@require_GET
def gallery(request: UserRequest, project_id: str) -> HttpResponse:
    """The cards that follow those before the place `before`."""
    project = project_of(request.user, project_id)
    before = Place.read(request.GET.get("before", ""))
    found = page(project.artifacts.shown(), GALLERY, before)
    links.sign(request, found.artifacts)
    left = behind(project.artifacts.shown(), found.next).count() if found.next else 0
    context = {
        "project": project,
        "artifacts": found.artifacts,
        "next": found.next,
        "files_left": left,
    }
    return render(request, "projects/_cards.html", context)


def lost_network(project: Project) -> str:
    """The name of the network that the owner chose and the operator has taken away since."""
    if networks.effective(project.network) == project.network:
        return ""
    return project.get_network_display()


@require_POST
@forms_answer
def rename(request: UserRequest, project_id: str) -> str:
    project = project_of(request.user, project_id, Role.EDITOR)
    if title := title_from(request.POST.get("title", "").replace("\0", "")):
        project.title = title
        project.save(update_fields=["title"])
    return project.get_absolute_url()


@require_POST
@forms_answer
def copy(request: UserRequest, project_id: str) -> str:
    """A project of the user's own to go on with; leads to it."""
    project = project_of(request.user, project_id)
    return duplicating.duplicate(project, request.user).get_absolute_url()


@require_POST
@forms_answer
def delete(request: UserRequest, project_id: str) -> str:
    """Into the trash; the list that follows says so, and offers to undo it."""
    project = project_of(request.user, project_id, Role.OWNER)
    trash.discard(project)
    return f"{reverse('projects:list')}?{urlencode({'deleted': project.pk})}"


@require_GET
def input_file(request: UserRequest, project_id: str, name: str) -> HttpResponse:
    file = get_object_or_404(project_of(request.user, project_id).inputs, name=name)
    path = f".studio/input/{file.name}"
    if "download" in request.GET:
        return redirect(links.address(request, project_id, path, download="1"))
    return redirect(links.address(request, project_id, path))
