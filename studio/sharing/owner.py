"""The links of a project, for whoever may change it: make, copy, change, revoke."""

from __future__ import annotations

from functools import partial

import segno
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.artifacts.models import Artifact
from studio.artifacts.versions import numbered
from studio.projects.access import artifact_of, project_of, projects_of
from studio.projects.models import Project, Role
from studio.projects.requests import BadRequest
from studio.sharing import reach
from studio.sharing.forms import DAYS, ShareForm
from studio.sharing.models import Share
from studio.sharing.nudge import nudge
from studio.web import UserRequest

MOST = 100


@never_cache
@require_GET
def shares(request: UserRequest, project_id: str) -> HttpResponse:
    """The dialog: of a project, or of its file `file` with `version` on the screen."""
    project = project_of(request.user, project_id)
    path = request.GET.get("file", "")
    return dialog(request, project, artifact_of(request.user, project.pk, path) if path else None)


@never_cache
@require_POST
def make(request: UserRequest, project_id: str) -> HttpResponse:
    project = project_of(request.user, project_id, Role.EDITOR)
    path = request.POST.get("file", "")
    artifact = artifact_of(request.user, project.pk, path, Role.EDITOR) if path else None
    pinned = request.POST.get("pinned") == "1"
    number = request.POST.get("version", "")
    share = Share(project=project, artifact=artifact, creator=request.user, pinned=pinned)
    form = ShareForm(request.POST, instance=share)
    try:
        if not form.is_valid():
            raise BadRequest(form.problems())
        if Share.objects.open().filter(project=project).count() >= MOST:
            raise BadRequest(_("There are too many links. Revoke those that nobody needs."))
        version = None
        if artifact and pinned:
            version = numbered(artifact, number or str(artifact.version_number))
        with transaction.atomic():
            share = form.save(commit=False)
            share.give_token()
            share.save()
            if pinned:
                reach.pin(share, version)
    except BadRequest as problem:
        return dialog(request, project, artifact, problem=problem)
    return dialog(request, project, artifact, new=share)


@never_cache
@require_POST
def change(request: UserRequest, project_id: str, share_id: int) -> HttpResponse:
    share = share_of(request, project_id, share_id)
    form = ShareForm(request.POST, instance=share)
    if not form.is_valid():
        return dialog(request, share.project, share.artifact, problem=BadRequest(form.problems()))
    form.save()
    transaction.on_commit(partial(nudge, share.pk))
    return dialog(request, share.project, share.artifact)


@never_cache
@require_POST
def revoke(request: UserRequest, project_id: str, share_id: int) -> HttpResponse:
    """Close it for good: its link never opens anything again."""
    share = share_of(request, project_id, share_id)
    share.revoke()
    return dialog(request, share.project, share.artifact, revoked=True)


def share_of(request: UserRequest, project_id: str, share_id: int) -> Share:
    """A share of a project that the user may change, which nobody has revoked."""
    project = project_of(request.user, project_id, Role.EDITOR)
    shares = project.shares.filter(revoked=None).select_related("artifact", "project")
    return get_object_or_404(shares, pk=share_id)


def dialog(
    request: UserRequest,
    project: Project,
    artifact: Artifact | None,
    *,
    problem: BadRequest | None = None,
    new: Share | None = None,
    revoked: bool = False,
) -> HttpResponse:
    """The form for a new link and the links there are: a part of a page, or a page of its own.

    Who may only look is told so, and sees no links.
    """
    may = projects_of(request.user, Role.EDITOR).filter(pk=project.pk).exists()
    unrevoked = project.shares.filter(revoked=None) if may else project.shares.none()
    made = unrevoked.filter(artifact=artifact).select_related("artifact", "project")
    context = {
        "may": may,
        "project": project,
        "artifact": artifact,
        "version": request.GET.get("version") or request.POST.get("version") or "",
        "shares": [told(request, share) for share in made],
        "others": unrevoked.exclude(pk__in=made.values("pk")).count(),
        "days": DAYS,
        "draft": Share(),
        "problem": problem,
        "new": new.pk if new else None,
        "revoked": revoked,
    }
    template = "sharing/_dialog.html" if request.htmx else "sharing/shares.html"
    return render(request, template, context, status=problem.status if problem else 200)


def told(request: UserRequest, share: Share) -> dict[str, object]:
    """A share with its address, as long as this can be read, and the picture that phones read."""
    address = request.build_absolute_uri(share.path) if share.path else ""
    frame = request.build_absolute_uri(f"{share.path}embed/") if share.path else ""
    code = segno.make(address, error="m", micro=False) if address else None
    picture = code.svg_inline(border=2, dark="#000", omitsize=True) if code else ""
    return {"share": share, "address": address, "frame": frame, "code": picture}
