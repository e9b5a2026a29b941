from __future__ import annotations

from django.http import HttpResponse
from ninja import File, Form, Router, Status, UploadedFile

from studio.api import schemas, showing
from studio.api.paging import Cursor, Limit, Page, page
from studio.api.schemas import NO_FILES
from studio.api.tokens import Request
from studio.projects import networks, trash
from studio.projects.access import project_of, projects_of
from studio.projects.models import Role, title_from
from studio.projects.requests import begin_project, read_form, read_model, read_network

router = Router(tags=["Projects"])


@router.get("", response=Page[schemas.Project], summary="List projects")
def list_projects(request: Request, cursor: Cursor = "", limit: Limit = 50):
    """Yours and those you were let into, the last used first."""
    rows, more = page(projects_of(request.user), ("updated", "id"), cursor, limit)
    return {"items": [showing.project(request, row) for row in rows], "next": more}


@router.post("", response={201: schemas.Made}, summary="Ask for something new")
def create_project(
    request: Request, form: Form[schemas.NewRun], files: File[list[UploadedFile]] = NO_FILES
):
    """Makes a project of its own; its first run waits for a worker. Attach files as `files`."""
    prompt, uploads = read_form(request)
    network = read_network(request, networks.usual())
    model = read_model(request, "")
    run = begin_project(request.user, prompt, uploads, network, model)
    made = {"project": showing.project(request, run.project), "run": showing.run(request, run)}
    return Status(201, made)


@router.get("/{slug:project_id}", response=schemas.Project, summary="Get a project")
def get_project(request: Request, project_id: str):
    return showing.project(request, project_of(request.user, project_id))


@router.patch("/{slug:project_id}", response=schemas.Project, summary="Rename a project")
def rename_project(request: Request, project_id: str, body: schemas.Rename):
    project = project_of(request.user, project_id, Role.EDITOR)
    project.title = title_from(body.title)
    project.save(update_fields=["title"])
    return showing.project(request, project)


@router.delete("/{slug:project_id}", response={204: None}, summary="Delete a project")
def delete_project(request: Request, project_id: str) -> HttpResponse:
    """Into the trash, with all its runs and files, for thirty days. Only its owner can.

    A run of it that is open is stopped. The page “Trash” brings it back, or empties it.
    """
    trash.discard(project_of(request.user, project_id, Role.OWNER))
    return HttpResponse(status=204)
