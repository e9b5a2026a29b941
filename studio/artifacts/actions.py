"""What the owner can have done with a file: have it mended, have a page made self-contained."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.artifacts import mending, packing
from studio.artifacts.models import Artifact, Packing, Version
from studio.artifacts.versions import numbered
from studio.endpoints import choices
from studio.inspections.models import Inspection
from studio.projects.access import artifact_of
from studio.projects.models import Role
from studio.projects.requests import BadRequest, begin_run
from studio.projects.views import forms_answer
from studio.web import UserRequest


@require_POST
@forms_answer
def fix(request: UserRequest, project_id: str, path: str) -> str:
    """Ask for what was found in the newest version to be mended; leads to where that is done."""
    artifact = artifact_of(request.user, project_id, path, Role.EDITOR)
    if not choices.has_model():
        # A recipe would take the words for a wish, and make something else of that name.
        raise BadRequest(_("Mending it takes a language model, and none is connected."))
    inspection = Inspection.objects.filter(version=artifact.latest).first()
    prompt = mending.request_for(artifact, inspection) if inspection else ""
    if not prompt:
        raise BadRequest(_("There is nothing to mend any more. Reload the page."))
    begin_run(artifact.project, prompt)
    return artifact.project.get_absolute_url()


@require_POST
def pack(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """Have version `version` of a page made self-contained."""
    artifact = artifact_of(request.user, project_id, path, Role.EDITOR)
    version = numbered(artifact, request.POST.get("version", ""))
    if artifact.kind != "html" or packing.standalone_path(artifact.path) is None:
        raise Http404
    return shown(request, artifact, version, packing.ask(version))


@never_cache
@require_GET
def packed(request: UserRequest, project_id: str, path: str) -> HttpResponse:
    """How far that is, for the menu that asks every few seconds."""
    artifact = artifact_of(request.user, project_id, path)
    version = numbered(artifact, request.GET.get("version", ""))
    return shown(request, artifact, version, Packing.objects.filter(version=version).first())


def shown(
    request: UserRequest, artifact: Artifact, version: Version, packing: Packing | None
) -> HttpResponse:
    context = {"artifact": artifact, "version": version, "packing": packing}
    return render(request, "artifacts/_packing.html", context)
