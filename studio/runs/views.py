from __future__ import annotations

import json
import uuid

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.endpoints import choices
from studio.projects import requests
from studio.projects.access import project_of, run_of
from studio.projects.models import Role
from studio.projects.pointing import pointed
from studio.projects.requests import (
    begin_run,
    read_base,
    read_form,
    read_model,
    read_network,
)
from studio.projects.views import forms_answer
from studio.runs import feed, steering, stopping
from studio.web import UserRequest


@require_POST
@forms_answer
def create(request: UserRequest, project_id: str) -> str:
    project = project_of(request.user, project_id, Role.EDITOR)
    prompt, uploads = read_form(request)
    prompt += pointed(request, project)
    project.network = read_network(request, project.network)
    project.model = read_model(request, choices.for_words(project.model))
    begin_run(project, prompt, uploads, read_base(request, project))
    return project.get_absolute_url()


@require_POST
@forms_answer
def retry(request: UserRequest, run_id: uuid.UUID) -> str:
    run = run_of(request.user, run_id, Role.EDITOR)
    run.project.model = read_model(request, run.project.model)
    begin_run(run.project, run.prompt)
    return run.project.get_absolute_url()


@require_POST
@forms_answer
def go_on(request: UserRequest, run_id: uuid.UUID) -> str:
    requests.go_on(run_of(request.user, run_id, Role.EDITOR))
    return ""


@require_POST
@forms_answer
def say(request: UserRequest, run_id: uuid.UUID) -> str:
    run = run_of(request.user, run_id, Role.EDITOR)
    steering.say(run, request.POST.get("text", ""))
    return ""


@require_POST
def take_back(request: UserRequest, run_id: uuid.UUID, word: int) -> HttpResponse:
    steering.take_back(run_of(request.user, run_id, Role.EDITOR), word)
    return HttpResponse(status=204)


@require_POST
def stop(request: UserRequest, run_id: uuid.UUID) -> HttpResponse:
    stopping.stop(run_of(request.user, run_id, Role.EDITOR))
    return HttpResponse(status=204)


@never_cache
@require_GET
def events(request: UserRequest, run_id: uuid.UUID) -> HttpResponse:
    """What the socket tells, for pages that can't have one."""
    run = run_of(request.user, run_id)
    rows, _ = feed.events_after(run.pk, feed.after(request.GET.get("after", "")))
    body = f'{{"events":{rows},"run":{json.dumps(feed.state(run))}}}'
    return HttpResponse(body, content_type="application/json")
