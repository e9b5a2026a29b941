"""Who may do what with a project: its owner, and whoever the owner let in.

Every look-up of somebody's project goes through here; what one may not see does not exist.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from studio.accounts import house
from studio.artifacts.models import Artifact, ArtifactQuerySet
from studio.projects.models import Member, Project, Role
from studio.runs.models import Run

if TYPE_CHECKING:
    from studio.accounts.models import User


def projects_of(user: User, at_least: Role = Role.VIEWER) -> QuerySet[Project]:
    """The projects in which a user has this role or a higher one, with it, the last used first.

    What is in the trash is not among them.
    """
    mine = Q(owner=user)
    if at_least < Role.OWNER:
        mine |= Q(pk__in=user.memberships.filter(role__gte=at_least).values("project"))
    given = Member.objects.filter(project=OuterRef("pk"), user=user).values("role")
    owns = When(owner=user, then=Value(Role.OWNER.value))
    role = Case(owns, default=Subquery(given), output_field=IntegerField())
    found = Project.objects.filter(mine, deleted=None).select_related("owner")
    return found.annotate(role=role).order_by("-updated")  # type: ignore[no-redef]


def trashed_of(user: User) -> QuerySet[Project]:
    """The projects that a user has put into the trash, the last one first."""
    return Project.objects.filter(owner=user, deleted__isnull=False).order_by("-deleted")


def anybodys() -> QuerySet[Project]:
    """The projects that there are, whoever's: for what was opened with a link."""
    theirs = Q(owner__is_active=True) | Q(owner__username=house.NAME)
    return Project.objects.filter(theirs, deleted=None)


def still_seen(looks: Collection[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of these users and projects, by their keys, where the user may look at the project.

    For what was opened before: the addresses of files, and sockets, many at once.
    """
    users, projects = {user for user, _ in looks}, {project for _, project in looks}
    there = Project.objects.filter(pk__in=projects, deleted=None)
    owners = there.filter(owner__in=users, owner__is_active=True).values_list("owner", "pk")
    members = Member.objects.filter(project__in=there, user__in=users, user__is_active=True)
    return set(looks).intersection(owners.union(members.values_list("user", "project")))


def project_of(user: User, project_id: str, at_least: Role = Role.VIEWER) -> Project:
    """A project in which a user has this role or a higher one.

    Raises:
        Http404: there is none that the user may see.
        PermissionDenied: the user may see it and not do this; the message says so.
    """
    project = projects_of(user, at_least).filter(pk=project_id).first()
    if project is not None:
        return project
    if at_least > Role.VIEWER and projects_of(user).filter(pk=project_id).exists():
        raise PermissionDenied(_("You can look at this project. Ask its owner if you need more."))
    raise Http404


def artifact_of(user: User, project_id: str, path: str, at_least: Role = Role.VIEWER) -> Artifact:
    """An artifact, shown or removed, of a project in which a user has this role.

    Raises as `project_of`.
    """
    project = project_of(user, project_id, at_least)
    return get_object_or_404(project.artifacts.select_related("latest"), path=path)


def own_project(user: User, project_id: str) -> Project:
    """A project of the user's own, in the trash or not.

    Raises as `project_of`.
    """
    trashed = trashed_of(user).filter(pk=project_id).first()
    return trashed or project_of(user, project_id, Role.OWNER)


def artifacts_of(user: User, at_least: Role = Role.VIEWER) -> ArtifactQuerySet:
    """What the galleries of all projects show in which a user has this role."""
    return Artifact.objects.shown().filter(project__in=projects_of(user, at_least).order_by())


def run_of(user: User, run_id: uuid.UUID, at_least: Role = Role.VIEWER) -> Run:
    """A run of a project in which a user has this role, with its `project`.

    Raises as `project_of`.
    """
    run = get_object_or_404(Run.objects.select_related("project__owner"), pk=run_id)
    run.project = project_of(user, run.project_id, at_least)
    return run
