"""What can go wrong in a request, and how that is told."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from studio.api import details
from studio.projects.requests import BadRequest, Busy, DayUsedUp, NoRoom
from studio.runs.spending import seconds_left

logger = logging.getLogger(__name__)

CODES = {Busy: "busy", DayUsedUp: "day_used_up", NoRoom: "no_room"}


class FieldProblem(Schema):
    """Where in the request something is wrong, and what."""

    where: str = Field(examples=["body.title"])
    detail: str


class Problem(Schema):
    """What went wrong."""

    type: str = Field("about:blank", description="There are no pages about single problems.")
    title: str = Field(description="The status in words.", examples=["Not Found"])
    status: int = Field(examples=[404])
    code: str = Field(description="For programs.", examples=["not_found"])
    detail: str = Field(description="For people, in their language.")
    errors: list[FieldProblem] = Field([], description="With 422: what is wrong where.")


class TooManyRequests(Exception):
    """This user has asked more often than allowed; `seconds` until they may again."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class Refused(Exception):
    """What was asked for can't be; the message says why."""

    def __init__(
        self, code: str, message: str, status: int = 422, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.headers = code, status, headers


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[dict[str, str]] = (),
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    """The answer that tells of a problem."""
    text = details.text(status, code, detail, errors)
    return HttpResponse(text, status=status, content_type=details.MEDIA_TYPE, headers=headers)


def unauthorized() -> HttpResponse:
    told = _("This takes a valid token: make one in your settings, and send it as a bearer token.")
    return problem(401, "unauthorized", told, headers={"WWW-Authenticate": "Bearer"})


def not_found() -> HttpResponse:
    return problem(404, "not_found", _("There is nothing here that you can see."))


def not_allowed(allowed: str) -> HttpResponse:
    told = _("This can’t be done here. Possible: %(methods)s.") % {"methods": allowed}
    return problem(405, "method_not_allowed", told, headers={"Allow": allowed})


def too_many(seconds: float) -> HttpResponse:
    wait = max(1, math.ceil(seconds))
    told = _("Too many requests. Try again in %(seconds)d s.") % {"seconds": wait}
    return problem(429, "too_many_requests", told, headers={"Retry-After": str(wait)})


def _forbidden(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(403, "forbidden", str(error))


def _bad_request(request: HttpRequest, error: Any) -> HttpResponse:
    code = CODES.get(type(error), "unprocessable")
    headers = {"Retry-After": str(math.ceil(seconds_left()))} if error.status == 429 else None
    return problem(error.status, code, str(error), headers=headers)


def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(error.status, error.code, str(error), headers=error.headers)


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    errors = [
        {"where": ".".join(map(str, each["loc"]))[:200], "detail": each["msg"][:500]}
        for each in error.errors[:50]
    ]
    told = _("The request is not as it should be.")
    wants_form = any(each["loc"][0] in ("form", "file") for each in error.errors)
    if wants_form and request.content_type == "application/json":
        told = _("This takes a form, not JSON: send its fields as multipart/form-data.")
    return problem(422, "invalid", told, errors=errors)


def _no_json(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(400, "unreadable", _("The body can’t be read: it has to be JSON."))


def _unreadable(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(400, "unreadable", _("The request can’t be read."))


def _too_large(request: HttpRequest, error: Any) -> HttpResponse:
    return problem(413, "too_large", _("The request is too large."))


def _bug(request: HttpRequest, error: Any) -> HttpResponse:
    logger.error("%s %s broke", request.method, request.path, exc_info=error)
    told = _("Something went wrong in the studio itself. Please try again.")
    return problem(500, "broken", told)


HANDLERS: Mapping[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    Http404: lambda request, error: not_found(),
    AuthenticationError: lambda request, error: unauthorized(),
    TooManyRequests: lambda request, error: too_many(error.seconds),
    PermissionDenied: _forbidden,
    BadRequest: _bad_request,
    Refused: _refused,
    ValidationError: _invalid,
    HttpError: _no_json,
    MultiPartParserError: _unreadable,
    SuspiciousOperation: _unreadable,
    RequestDataTooBig: _too_large,
    Exception: _bug,
}


def teach(api: NinjaAPI) -> None:
    """Have an API tell all its problems this way."""
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)
