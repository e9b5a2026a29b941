"""A copy of a project to go on with, as it is now. Its bytes are shared, so nothing is copied.

The copy has the requests and what came of them, the newest version of each file, what was given
and the workspace, which is all that the next request builds upon. The steps of the work stay with
the original, and so do older versions and what the work took.
"""

from __future__ import annotations

import uuid

from django.db import transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from agent.store import Blob
from studio.accounts.models import User
from studio.artifacts.models import Artifact, Version
from studio.inspections import queue
from studio.inspections.models import Inspection, Preview, State
from studio.projects import quota
from studio.projects.models import TITLE_LENGTH, Input, Project
from studio.projects.requests import NoRoom
from studio.projects.resting import at_rest
from studio.runs.models import Run

# Sent with the `files` that a copy has, in the transaction that makes them: they are written all at
# once, so nobody hears of each.
files_copied = Signal()
TOLD = ("number", "prompt", "status", "reason", "message", "summary", "model", "created", "ended")


def duplicate(project: Project, owner: User) -> Project:
    """A project of `owner` that is as this one is now.

    Raises:
        Busy: a run of the project has not ended.
        NoRoom: the owner's files would take more than they may.
    """
    with transaction.atomic():
        quota.hold(owner.pk)
        at_rest(project)
        if problem := quota.no_room(owner.pk, blobs(project)):
            raise NoRoom(problem)
        new = Project.objects.create(
            owner=owner,
            title=_("%(title)s (copy)") % {"title": project.title[: TITLE_LENGTH - 10]},
            network=project.network,
            model=project.model,
        )
        copy_inputs(project, new)
        copy_files(project, new, copy_runs(project, new))
        return new


def blobs(project: Project) -> list[Blob]:
    """All bytes that a copy refers to."""
    newest = versions(project)
    found = [Blob(version.digest, version.size) for version in newest]
    found += [Blob(given.digest, given.size) for given in project.inputs.all()]
    of_files = Preview.objects.filter(inspection__version__in=newest)
    of_inputs = Preview.objects.filter(inspection__input__project=project)
    found += [Blob(*row) for row in of_files.union(of_inputs).values_list("digest", "size")]
    if last := last_kept(project):
        found.append(Blob(last.workspace, last.workspace_size))
    return found


def versions(project: Project) -> list[Version]:
    """The newest version of each file that the gallery shows."""
    shown = project.artifacts.filter(removed=False)
    rows = Version.objects.filter(pk__in=shown.values("latest"))
    return list(rows.select_related("artifact", "inspection"))


def last_kept(project: Project) -> Run | None:
    return project.runs.exclude(workspace="").last()


def copy_runs(project: Project, new: Project) -> dict[uuid.UUID, Run]:
    """The requests, without their events; the new run of each old one."""
    kept, copies = last_kept(project), {}
    for run in project.runs.all():
        told = {name: getattr(run, name) for name in TOLD}
        if run == kept:
            told |= {"workspace": run.workspace, "workspace_size": run.workspace_size}
        copies[run.pk] = Run.objects.create(project=new, **told)
        # The time of creation is set when a row is written.
        Run.objects.filter(pk=copies[run.pk].pk).update(created=run.created)
    return copies


def copy_files(project: Project, new: Project, runs: dict[uuid.UUID, Run]) -> None:
    newest = versions(project)
    files = Artifact.objects.bulk_create(
        Artifact(
            project=new,
            path=version.artifact.path,
            kind=version.artifact.kind,
            updated=version.artifact.updated,
        )
        for version in newest
    )
    copies = Version.objects.bulk_create(
        Version(
            artifact=file,
            run=runs[version.run_id] if version.run_id else None,
            number=1,
            digest=version.digest,
            size=version.size,
            media_type=version.media_type,
            created=version.created,
        )
        for file, version in zip(files, newest, strict=True)
    )
    for file, copy in zip(files, copies, strict=True):
        file.latest = copy
    Artifact.objects.bulk_update(files, ["latest"])
    queue.inherit(zip(map(inspected, newest), copies, strict=True))
    files_copied.send(Project, files=files)


def copy_inputs(project: Project, new: Project) -> None:
    given = list(project.inputs.select_related("inspection"))
    copies = Input.objects.bulk_create(
        Input(project=new, name=file.name, digest=file.digest, size=file.size) for file in given
    )
    for file, copy in zip(given, copies, strict=True):
        # Pages say with which request a file came; the time of creation is set when it is written.
        copy.created = file.created
    Input.objects.bulk_update(copies, ["created"])
    queue.inherit(zip(map(inspected, given), copies, strict=True))


def inspected(thing: Version | Input) -> Inspection | None:
    """What was found in it, if that is known."""
    found: Inspection | None = getattr(thing, "inspection", None)
    return found if found and found.state == State.DONE else None
