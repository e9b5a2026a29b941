from __future__ import annotations

import json
import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.projects.requests import (
    DayUsedUp,
    begin_run,
    read_form,
    read_model,
    read_network,
)
from studio.projects.views import forms_answer, own_project
from studio.runs import feed, pausing, spending, stopping
from studio.runs.models import Run
from studio.web import UserRequest


def own_run(request: UserRequest, run_id: uuid.UUID) -> Run:
    """A run of the user's; anybody else's does not exist."""
    runs = Run.objects.select_related("project")
    return get_object_or_404(runs, pk=run_id, project__owner=request.user)


@require_POST
@forms_answer
def create(request: UserRequest, project_id: str) -> str:
    project = own_project(request, project_id)
    prompt, uploads = read_form(request)
    project.network = read_network(request, project.network)
    project.model = read_model(request, project.model)
    begin_run(project, prompt, uploads)
    return project.get_absolute_url()


@require_POST
@forms_answer
def retry(request: UserRequest, run_id: uuid.UUID) -> str:
    run = own_run(request, run_id)
    begin_run(run.project, run.prompt)
    return run.project.get_absolute_url()


@require_POST
@forms_answer
def go_on(request: UserRequest, run_id: uuid.UUID) -> str:
    run = own_run(request, run_id)
    if refusal := spending.refusal(run.project.owner_id):
        raise DayUsedUp(refusal)
    pausing.go_on(run)
    return ""


@require_POST
def stop(request: UserRequest, run_id: uuid.UUID) -> HttpResponse:
    stopping.stop(own_run(request, run_id))
    return HttpResponse(status=204)


@never_cache
@require_GET
def events(request: UserRequest, run_id: uuid.UUID) -> HttpResponse:
    """What the socket tells, for pages that can't have one."""
    run = own_run(request, run_id)
    after = request.GET.get("after", "0")
    rows, _ = feed.events_after(run.pk, int(after) if after.isdecimal() else 0)
    body = f'{{"events":{rows},"run":{json.dumps(feed.state(run))}}}'
    return HttpResponse(body, content_type="application/json")
