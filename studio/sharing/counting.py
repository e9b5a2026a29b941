"""How often a share was looked at: once for each visitor and day, without knowing who they are."""

from __future__ import annotations

import logging
import re

from django.core.cache import cache
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from studio.projects.access import projects_of
from studio.sharing.models import Share

logger = logging.getLogger(__name__)

DAY = 24 * 3600
# Those who look for a preview say so, or don't pretend to be a browser.
MACHINE = re.compile(r"bot|crawl|spider|preview|compatible;", re.IGNORECASE)


def count(request: HttpRequest, share: Share) -> None:
    """Count a view, unless it is not the first of the day, a member's, or a machine's."""
    agent = request.headers.get("user-agent", "")
    if request.method != "GET" or "Mozilla/" not in agent or MACHINE.search(agent):
        return
    if "prefetch" in request.headers.get("sec-purpose", ""):
        return
    if request.user.is_authenticated and (
        projects_of(request.user).filter(pk=share.project_id).exists()
    ):
        return
    try:
        first = cache.add(f"viewed:{share.pk}:{_visitor(request, agent)}", 1, DAY)
    except RedisError as error:
        logger.warning("A view of share %s is not counted: %s", share.pk, error)
        return
    if first:
        Share.objects.filter(pk=share.pk).update(views=F("views") + 1)


def _visitor(request: HttpRequest, agent: str) -> str:
    """A name for a visitor that means nothing to anybody, and another one tomorrow."""
    said = f"{timezone.now():%Y-%m-%d} {request.META.get('REMOTE_ADDR', '')} {agent}"
    return salted_hmac("studio.sharing.visitor", said, algorithm="sha256").hexdigest()
