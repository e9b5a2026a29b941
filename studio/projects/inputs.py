"""Files that the owner gave, afterwards: taken away again, or given to another project, too."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from agent.store import Blob
from studio.accounts.models import User
from studio.artifacts import links
from studio.media import store
from studio.projects import quota
from studio.projects.access import project_of, projects_of
from studio.projects.models import Input, Project, Role
from studio.projects.requests import BadRequest, NoRoom, add_inputs
from studio.projects.resting import at_rest
from studio.projects.views import forms_answer
from studio.web import UserRequest

SALT = "studio.projects.inputs"
UNDO = timedelta(minutes=10)
PROJECTS = 60


def input_of(user: User, project_id: str, name: str, at_least: Role = Role.VIEWER) -> Input:
    """A file that was given to a project in which a user has this role."""
    return get_object_or_404(project_of(user, project_id, at_least).inputs, name=name)


def take_away(file: Input) -> None:
    """Remove a file from its project.

    Raises:
        Busy: a run of the project has not ended.
    """
    with transaction.atomic():
        at_rest(file.project)
        file.delete()


def give_back(project: Project, token: str) -> Input:
    """Add the file that `token` says was removed.

    Raises:
        BadRequest: it can't be had any more.
        NoRoom: something else has taken its room.
    """
    late = BadRequest(_("It is too late for that. Attach the file to your next request."))
    try:
        key, name, digest, size = signing.loads(token, salt=SALT, max_age=UNDO)
    except signing.BadSignature:
        raise late from None
    if key != project.pk or store().size(digest) is None:
        raise late
    blob = Blob(digest, size)
    with transaction.atomic():
        if problem := quota.no_room(project.owner_id, [blob], own=project.is_own):
            raise NoRoom(problem)
        (file,) = add_inputs(project, [(name, blob)])
        return file


@require_POST
def remove(request: UserRequest, project_id: str, name: str) -> HttpResponse:
    """Take a file away; the answer stands in its place and offers to undo that."""
    file = input_of(request.user, project_id, name, Role.EDITOR)
    token = signing.dumps([project_id, file.name, file.digest, file.size], salt=SALT)
    try:
        take_away(file)
    except BadRequest as problem:
        links.sign_inputs(request, [file])
        context = {"file": file, "problem": str(problem)}
        return render(request, "inputs/_card.html", context, status=problem.status)
    context = {"project": file.project, "name": file.name, "token": token}
    return render(request, "inputs/_removed.html", context)


@require_POST
def undo(request: UserRequest, project_id: str) -> HttpResponse:
    """Give back what was removed a moment ago; on the page its card is in its place again."""
    project = project_of(request.user, project_id, Role.EDITOR)
    token = request.POST.get("token", "")
    try:
        file = give_back(project, token)
    except BadRequest as problem:
        context = {"project": project, "token": token, "problem": str(problem)}
        return render(request, "inputs/_removed.html", context, status=problem.status)
    if not request.htmx:
        return redirect(project)
    links.sign_inputs(request, [file])
    return render(request, "inputs/_card.html", {"file": file})


@require_POST
@forms_answer
def copy(request: UserRequest, project_id: str, name: str) -> str:
    """Give a file to the project `project` as well."""
    file = input_of(request.user, project_id, name)
    target = project_of(request.user, request.POST.get("project", ""), Role.EDITOR)
    with transaction.atomic():
        blob = Blob(file.digest, file.size)
        if problem := quota.no_room(target.owner_id, [blob], own=target.is_own):
            raise NoRoom(problem)
        add_inputs(target, [(file.name, blob)])
    return target.get_absolute_url()


@require_GET
def use(request: UserRequest, project_id: str, name: str) -> HttpResponse:
    """Choose another project for a file, or a new one."""
    file = input_of(request.user, project_id, name)
    others = projects_of(request.user, Role.EDITOR).exclude(pk=project_id)[:PROJECTS]
    return render(request, "inputs/use.html", {"file": file, "projects": others})
