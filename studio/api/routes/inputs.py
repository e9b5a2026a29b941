from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from ninja import FileEx, P, Router, Status, UploadedFile

from studio.api import schemas, showing
from studio.api.paging import Cursor, Limit, Page, page
from studio.api.tokens import Request
from studio.artifacts import links
from studio.projects.access import project_of
from studio.projects.inputs import take_away
from studio.projects.models import Input, Role
from studio.projects.requests import give, read_uploads

router = Router(tags=["Inputs"])

Files = FileEx[list[UploadedFile], P(min_length=1)]


@router.get("/{slug:project_id}/inputs", response=Page[schemas.Input], summary="List inputs")
def list_inputs(request: Request, project_id: str, cursor: Cursor = "", limit: Limit = 50):
    """The files that were given to the project, the newest first."""
    rows, more = page(project_of(request.user, project_id).inputs.all(), ("id",), cursor, limit)
    return {"items": [showing.input_file(request, row) for row in rows], "next": more}


@router.post("/{slug:project_id}/inputs", response={201: list[schemas.Input]}, summary="Give files")
def add_inputs(request: Request, project_id: str, files: Files):
    """The next run finds them; what is there already under the same name stays once."""
    project = project_of(request.user, project_id, Role.EDITOR)
    given = give(project, read_uploads(request))
    return Status(201, [showing.input_file(request, row) for row in given])


@router.delete(
    "/{slug:project_id}/inputs/{int:input_id}", response={204: None}, summary="Take a file away"
)
def remove_input(request: Request, project_id: str, input_id: int) -> HttpResponse:
    """409 while a run is open, which would not know of it."""
    take_away(input_of(request, project_id, input_id, Role.EDITOR))
    return HttpResponse(status=204)


@router.get(
    "/{slug:project_id}/inputs/{int:input_id}/download",
    response={302: None},
    summary="Download an input",
)
def download_input(request: Request, project_id: str, input_id: int) -> HttpResponse:
    """Leads to an address that opens without a token for a few hours; do not send one there."""
    row = input_of(request, project_id, input_id)
    path = f".studio/input/{row.name}"
    return redirect(links.address(request, project_id, path, download="1"))


def input_of(
    request: Request, project_id: str, input_id: int, at_least: Role = Role.VIEWER
) -> Input:
    return get_object_or_404(project_of(request.user, project_id, at_least).inputs, pk=input_id)
