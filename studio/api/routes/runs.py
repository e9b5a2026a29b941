from __future__ import annotations

import uuid

from ninja import File, Form, Router, Status, UploadedFile

from studio.api import schemas, showing
from studio.api.paging import Cursor, Limit, Page, page
from studio.api.schemas import NO_FILES
from studio.api.tokens import Request
from studio.endpoints import choices
from studio.projects import requests
from studio.projects.access import project_of, run_of
from studio.projects.models import Role
from studio.projects.requests import begin_run, read_form, read_model, read_network
from studio.runs import stopping

router = Router(tags=["Runs"])


@router.get("/projects/{slug:project_id}/runs", response=Page[schemas.Run], summary="List runs")
def list_runs(request: Request, project_id: str, cursor: Cursor = "", limit: Limit = 50):
    """The newest first."""
    runs = project_of(request.user, project_id).runs.select_related("project")
    rows, more = page(runs, ("number",), cursor, limit)
    return {"items": [showing.run(request, row) for row in rows], "next": more}


@router.post("/projects/{slug:project_id}/runs", response={201: schemas.Run}, summary="Follow up")
def create_run(
    request: Request,
    project_id: str,
    form: Form[schemas.NewRun],
    files: File[list[UploadedFile]] = NO_FILES,
):
    """Asks for more in the same project. 409 while another run of it is being worked on."""
    project = project_of(request.user, project_id, Role.EDITOR)
    prompt, uploads = read_form(request)
    project.network = read_network(request, project.network)
    project.model = read_model(request, choices.for_words(project.model))
    return Status(201, showing.run(request, begin_run(project, prompt, uploads)))


@router.get("/runs/{uuid:run_id}", response=schemas.Run, summary="Get a run")
def get_run(request: Request, run_id: uuid.UUID):
    return showing.run(request, run_of(request.user, run_id))


@router.post("/runs/{uuid:run_id}/stop", response=schemas.Run, summary="Stop a run")
def stop_run(request: Request, run_id: uuid.UUID):
    """Everything made so far is kept. One that is being worked on ends in a second or two."""
    stopping.stop(run_of(request.user, run_id, Role.EDITOR))
    return showing.run(request, run_of(request.user, run_id))


@router.post("/runs/{uuid:run_id}/go-on", response=schemas.Run, summary="Let a run go on")
def go_on(request: Request, run_id: uuid.UUID):
    """A paused one; any other stays as it is."""
    requests.go_on(run_of(request.user, run_id, Role.EDITOR))
    return showing.run(request, run_of(request.user, run_id))


@router.post("/runs/{uuid:run_id}/retry", response={201: schemas.Run}, summary="Ask once more")
def retry_run(request: Request, run_id: uuid.UUID):
    """A new run with the same request."""
    run = run_of(request.user, run_id, Role.EDITOR)
    return Status(201, showing.run(request, begin_run(run.project, run.prompt)))
