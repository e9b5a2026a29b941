"""Pages that belong to no app."""

from __future__ import annotations

import logging

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from redis import Redis
from redis.exceptions import RedisError

from studio.endpoints import choices
from studio.web import UserRequest

logger = logging.getLogger(__name__)


@require_GET
def models_help(request: UserRequest) -> HttpResponse:
    context = {"model_name": choices.model_name(), "has_model": choices.has_model()}
    if request.user.is_staff:
        context["offers"] = choices.from_settings().offers
    return render(request, "help/models.html", context)


@never_cache
@require_GET
@login_not_required
def health(request: HttpRequest) -> JsonResponse:
    """200 if the database and the broker answer, otherwise 503; either way which does."""
    parts = {"database": True, "broker": True}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("The database does not answer")
        parts["database"] = False
    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as redis:
            redis.ping()
    except (RedisError, OSError) as error:
        logger.error("The broker does not answer: %s", error)
        parts["broker"] = False
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)
