"""The gallery of starting points, and the form of each."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_GET, require_POST

from studio.endpoints.choices import RECIPES
from studio.projects.requests import BadRequest, admit, begin_project, read_uploads
from studio.projects.views import forms_answer, start_page
from studio.starting import making
from studio.starting.catalogue import Point, of_language, point
from studio.starting.shown import KINDS, shown
from studio.web import UserRequest


@require_GET
def everything(request: UserRequest) -> HttpResponse:
    """The points of the reader's language, all or of one kind."""
    kind = request.GET.get("kind", "")
    there = [each for each in of_language(get_language()) if kind in ("", each.kind)]
    if not there:
        raise Http404
    context = {"kinds": KINDS, "kind": kind, "shown": shown(request, there)}
    return render(request, "starting/all.html", context)


@require_GET
def page(request: UserRequest, language: str, name: str) -> HttpResponse:
    """A point's request with its blanks to be filled in, and what came of it here."""
    found = wanted(language, name)
    context = {
        "point": found,
        "shown": shown(request, [found])[0],
        "asked": found.filled({}),
        "being_made": settings.STARTING_POINTS,
    }
    return render(request, "starting/point.html", context)


@require_GET
def sentence(request: UserRequest, language: str, name: str) -> HttpResponse:
    """What the blanks make of the request, while they are filled in."""
    found = wanted(language, name)
    try:
        asked = filled(found, request.GET)
    except BadRequest as problem:
        told = {"message": str(problem)}
        return render(request, "_form_error.html", told, status=problem.status)
    values = urlencode({name: request.GET[name] for name in found.fields})
    context = {"point": found, "asked": asked, "values": values}
    return render(request, "starting/_asked.html", context)


@require_GET
def write(request: UserRequest, language: str, name: str) -> HttpResponse:
    """The start page with the request in the field, to be gone on with in words."""
    found = wanted(language, name)
    try:
        return start_page(request, filled(found, request.GET))
    except BadRequest:
        return start_page(request, found.filled({}))


@require_POST
@forms_answer
def make(request: UserRequest, language: str, name: str) -> str:
    """Ask the recipe for it, which costs nothing; where it needs data and nothing is attached, it
    gets the example.
    """
    found = wanted(language, name)
    prompt = filled(found, request.POST)
    uploads = read_uploads(request) if found.table else []
    admit(request.user.pk, uploads)
    with transaction.atomic():
        run = begin_project(request.user, prompt, uploads, model=RECIPES)
        if not uploads:
            making.give_table(run.project, found)
    return run.project.get_absolute_url()


def wanted(language: str, name: str) -> Point:
    found = point(language, name)
    if found is None:
        raise Http404
    return found


def filled(found: Point, form: QueryDict) -> str:
    return found.filled({name: form.get(name, "") for name in found.fields})
