"""What was deleted and can still be brought back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Generic, TypeVar

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.accounts.models import User
from studio.artifacts import links
from studio.artifacts import trash as files
from studio.artifacts.models import Artifact, ArtifactQuerySet
from studio.library.picked import keys
from studio.projects import quota
from studio.projects import trash as projects
from studio.projects.access import own_project, projects_of, trashed_of
from studio.projects.models import Project, Role
from studio.projects.requests import BadRequest
from studio.projects.views import forms_answer
from studio.web import UserRequest

SHOWN = 200

T = TypeVar("T", Project, Artifact)


@dataclass(frozen=True, slots=True)
class Trashed(Generic[T]):
    """Something deleted, and for how many days it can still be brought back."""

    thing: T
    days: int

    @classmethod
    def of(cls, thing: T) -> Trashed[T]:
        assert thing.deleted is not None
        left = thing.deleted + projects.KEPT - timezone.now()
        return cls(thing, max(0, ceil(left / timedelta(days=1))))


def trashed_files(user: User, at_least: Role) -> ArtifactQuerySet:
    """The deleted files of the projects in which a user has this role, the last one first."""
    mine = projects_of(user, at_least).order_by()
    found = Artifact.objects.filter(files.trashed(), project__in=mine)
    return found.select_related("latest", "project").order_by("-deleted", "-pk")


@never_cache
@require_GET
def trash(request: UserRequest) -> HttpResponse:
    """What the user deleted, and in projects that they may change whoever did."""
    artifacts = list(trashed_files(request.user, Role.EDITOR)[:SHOWN])
    links.sign(request, artifacts)
    context = {
        "projects": [Trashed.of(project) for project in trashed_of(request.user)[:SHOWN]],
        "files": [Trashed.of(artifact) for artifact in artifacts],
        "days": projects.KEPT.days,
        "usage": quota.usage(request.user.pk),
    }
    return render(request, "library/trash.html", context)


@require_POST
@forms_answer
def restore_project(request: UserRequest, project_id: str) -> str:
    """Take a project out of the trash; leads to it."""
    project = own_project(request.user, project_id)
    projects.restore(project)
    return project.get_absolute_url()


@require_POST
@forms_answer
def purge_project(request: UserRequest, project_id: str) -> str:
    """Delete a project for good that is in the trash."""
    project = own_project(request.user, project_id)
    if project.deleted is None:
        raise BadRequest(_("This project is not in the trash any more."))
    project.delete()
    return reverse("library:trash")


@require_POST
def restore_files(request: UserRequest) -> HttpResponse:
    files.restore(trashed_files(request.user, Role.EDITOR).filter(pk__in=keys(request)))
    return redirect("library:trash")


@require_POST
def purge_files(request: UserRequest) -> HttpResponse:
    """Delete files for good that are in the trash, which only the project's owner can."""
    trashed_files(request.user, Role.OWNER).filter(pk__in=keys(request)).delete()
    return redirect("library:trash")


@require_POST
def empty(request: UserRequest) -> HttpResponse:
    """Delete for good all that is in the user's trash."""
    projects.delete_each(trashed_of(request.user))
    trashed_files(request.user, Role.OWNER).delete()
    return redirect("library:trash")
