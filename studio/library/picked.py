"""What is done with several files at once.

Each answers with a word on what was done, as a note for the page that asked or a page of its own.
"""

from __future__ import annotations

import json

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.http import require_POST

from agent.store import Blob
from studio.artifacts import bundles, trash
from studio.artifacts.models import Artifact, ArtifactQuerySet, Version
from studio.library import moving, tagging
from studio.library.models import Star
from studio.library.views import tags_on
from studio.projects import quota
from studio.projects.access import artifacts_of, project_of, projects_of
from studio.projects.models import Project, Role
from studio.projects.requests import NoRoom, add_inputs
from studio.web import UserRequest

MOST = 500


def picked(request: UserRequest, at_least: Role = Role.VIEWER) -> ArtifactQuerySet:
    """Those of the files asked for that are shown to the user, who has this role."""
    return artifacts_of(request.user, at_least).filter(pk__in=keys(request))


def keys(request: UserRequest, field: str = "file") -> list[int]:
    asked = [key for key in request.POST.getlist(field) if key.isascii() and key.isdecimal()]
    return [int(key[:18]) for key in asked[:MOST]]


def told(request: UserRequest, text: str, **context: object) -> HttpResponse:
    """The answer; of `context` the page reads what to change, see `static/js/library.js`."""
    template = "library/_toast.html" if request.htmx else "library/done.html"
    return render(request, template, {"text": text, **context})


@require_POST
def star(request: UserRequest) -> HttpResponse:
    """Give files a star, or with an empty `on` take it away."""
    files = list(picked(request).values_list("pk", flat=True))
    on = bool(request.POST.get("on"))
    if on:
        stars = [Star(user=request.user, artifact_id=key) for key in files]
        Star.objects.bulk_create(stars, ignore_conflicts=True)
        text = ngettext("%(count)d file has a star.", "%(count)d files have a star.", len(files))
    else:
        Star.objects.filter(user=request.user, artifact__in=files).delete()
        text = ngettext(
            "%(count)d file without a star.", "%(count)d files without a star.", len(files)
        )
    change = {"starred": files} if on else {"unstarred": files}
    return told(request, text % {"count": len(files)}, **change)


@require_POST
def tag(request: UserRequest) -> HttpResponse:
    """Put the `words` on files as tags, or take them away if `off` is set."""
    files = list(picked(request).values_list("pk", flat=True))
    names = tagging.names(request.POST.get("words", ""))
    if not names:
        return told(request, gettext("Write the tag first."))
    if request.POST.get("off"):
        tagging.remove(request.user, names, files)
        text = ngettext(
            "Tag removed from %(count)d file.", "Tag removed from %(count)d files.", len(files)
        )
    else:
        tagging.add(request.user, names, files)
        text = ngettext("%(count)d file tagged.", "%(count)d files tagged.", len(files))
    words = dict.fromkeys(files, "") | {
        key: ", ".join(found) for key, found in tags_on(request.user, files).items()
    }
    return told(request, text % {"count": len(files)}, tagged=json.dumps(words))


@require_POST
def delete(request: UserRequest) -> HttpResponse:
    """Into the trash, with a way back; files that the user may only look at stay."""
    asked, files = picked(request).count(), picked(request, Role.EDITOR)
    gone = list(files.values_list("pk", flat=True))
    trash.discard(Artifact.objects.filter(pk__in=gone))
    text = ngettext("%(count)d file deleted.", "%(count)d files deleted.", len(gone))
    return told(request, text % {"count": len(gone)} + stayed(asked - len(gone)), gone=gone)


def stayed(count: int) -> str:
    """What is said besides where the user may not take so many of the files away."""
    text = ngettext(
        "%(count)d stayed: you can only look at its project.",
        "%(count)d stayed: you can only look at their projects.",
        count,
    )
    return " " + text % {"count": count} if count else ""


@require_POST
def undelete(request: UserRequest) -> HttpResponse:
    """Out of the trash again; what was `moved` into other projects goes there instead."""
    trash.discard(artifacts_of(request.user, Role.EDITOR).filter(pk__in=keys(request, "moved")))
    projects = projects_of(request.user, Role.EDITOR).order_by()
    files = Artifact.objects.filter(trash.trashed(), pk__in=keys(request), project__in=projects)
    back = list(files.values_list("pk", flat=True))
    trash.restore(Artifact.objects.filter(pk__in=back))
    text = ngettext("%(count)d file is back.", "%(count)d files are back.", len(back))
    return told(request, text % {"count": len(back)}, back=back)


@require_POST
def download(request: UserRequest) -> HttpResponse:
    """Where to get the files as one zip."""
    files = list(picked(request))
    if not files:
        return told(request, gettext("These files are gone."))
    text = ngettext("%(count)d file as a zip.", "%(count)d files as one zip.", len(files))
    address = bundles.address(request, files, get_language() or settings.LANGUAGE_CODE)
    return told(request, text % {"count": len(files)}, address=address)


def target_of(request: UserRequest) -> Project:
    """The project that files are given to."""
    asked = request.POST.get("project", "").replace("\0", "")
    return project_of(request.user, asked, Role.EDITOR)


@require_POST
def copy(request: UserRequest) -> HttpResponse:
    """Give the files to the project `project`, where the next request finds them."""
    target = target_of(request)
    files = [file for file in picked(request) if file.latest]
    with transaction.atomic():
        blobs = [Blob(file.latest.digest, file.latest.size) for file in files if file.latest]
        if problem := quota.no_room(target.owner_id, blobs, own=target.is_own):
            return told(request, problem)
        add_inputs(target, zip([file.name for file in files], blobs, strict=True))
    text = ngettext(
        "%(count)d file given to “%(project)s”. It stays here as well.",
        "%(count)d files given to “%(project)s”. They stay here as well.",
        len(files),
    )
    return told(request, text % {"count": len(files), "project": target.title}, target=target)


@require_POST
def move(request: UserRequest) -> HttpResponse:
    """Make them files of the project `project`; here they go into the trash, with a way back.

    The workspace of the project they come from still has them, as it has deleted ones.
    """
    target = target_of(request)
    asked = picked(request).exclude(project=target).count()
    files = picked(request, Role.EDITOR).exclude(project=target).order_by()
    versions = Version.objects.filter(pk__in=files.values("latest")).select_related("artifact")
    newest = list(versions.order_by("artifact__path"))
    try:
        there = moving.move(request.user, newest, target)
    except NoRoom as problem:
        return told(request, str(problem))
    gone = [version.artifact_id for version in newest]
    text = ngettext(
        "%(count)d file moved to “%(project)s”.",
        "%(count)d files moved to “%(project)s”.",
        len(gone),
    )
    text = text % {"count": len(gone), "project": target.title} + stayed(asked - len(gone))
    return told(request, text, gone=gone, moved=[file.pk for file in there], target=target)
