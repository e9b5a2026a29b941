"""The API: its routes below /api/v1/, and the OpenAPI document that describes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import URLPattern, path, re_path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET
from ninja import NinjaAPI, Schema
from ninja.operation import Operation

from studio.api import details, problems
from studio.api.routes import artifacts, events, inputs, me, projects, runs, webhooks
from studio.api.tokens import Bearer

# What may go wrong with each operation, besides what its parameters and its body bring along.
ALWAYS = (401, 429)
WRITES = (403, 409, 413)


class Api(NinjaAPI):
    """Ninja's, with short names for its operations and with what can go wrong in its document."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def document(self) -> dict[str, Any]:
        """The OpenAPI document."""
        schema: dict[str, Any] = self.get_openapi_schema(path_prefix="/api/v1/")
        schema["components"]["schemas"] |= _shapes(problems.Problem)
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                for status in sorted(_problems(method, operation)):
                    operation["responses"].setdefault(status, _told(status))
        return schema


def _shapes(model: type[Schema]) -> dict[str, Any]:
    """A model and what it is made of, by their names."""
    found = model.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**found.pop("$defs", {}), model.__name__: found}


def _problems(method: str, operation: dict[str, Any]) -> set[int]:
    found = set(ALWAYS)
    if any(each["in"] == "path" for each in operation["parameters"]):
        found.add(404)
    if method != "get":
        found |= {400, *WRITES}
    if operation["parameters"] or "requestBody" in operation:
        found.add(422)
    return found


def _told(status: int) -> dict[str, Any]:
    told = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"description": details.TITLES[status], "content": {details.MEDIA_TYPE: told}}


api = Api(
    title="Sandbox Studio",
    version="1",
    description="Ask for a thing and get the file: what the pages do, for programs.",
    auth=Bearer(),
    docs_url=None,
    openapi_url=None,
)
problems.teach(api)
api.add_router("/projects", projects.router)
api.add_router("", runs.router)
api.add_router("/runs", events.router)
api.add_router("/projects", artifacts.router)
api.add_router("/projects", inputs.router)
api.add_router("", me.router)
api.add_router("/webhooks", webhooks.router)


@require_GET
def openapi(request: HttpRequest) -> JsonResponse:
    return JsonResponse(api.document())


@csrf_exempt
def missing(request: HttpRequest) -> HttpResponse:
    return problems.not_found()


def for_programs(view: Callable) -> Callable:
    """A view that a cookie does not open, and that says in our way when a method is not its own."""

    def in_our_way(answer: HttpResponseBase) -> HttpResponseBase:
        return problems.not_allowed(answer["Allow"]) if answer.status_code == 405 else answer

    if iscoroutinefunction(view):

        @wraps(view)
        async def answer(request: HttpRequest, *args, **kwargs) -> HttpResponseBase:
            return in_our_way(await view(request, *args, **kwargs))

    else:

        @wraps(view)
        def answer(request: HttpRequest, *args, **kwargs) -> HttpResponseBase:
            return in_our_way(view(request, *args, **kwargs))

    return login_not_required(never_cache(answer))


def _patterns() -> list[URLPattern]:
    routes = [each for each in api.urls[0] if isinstance(each, URLPattern)]
    own = [
        path("openapi.json", openapi, name="openapi"),
        re_path("", missing, name="missing"),
    ]
    for each in (*routes, *own):
        each.callback = for_programs(each.callback)
    # Ninja's own root would only send people to a page that we have elsewhere.
    return [each for each in (*routes, *own) if each.name != "api-root"]


urlpatterns = _patterns()
