"""What every request passes before the app sees it."""

from __future__ import annotations

import errno
import io
from functools import cache
from urllib.parse import SplitResult, parse_qs, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from asgiref.sync import iscoroutinefunction
from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language_from_request, gettext, gettext_noop, override
from django_htmx.middleware import HtmxDetails
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from studio.accounts.models import User
from studio.api import details
from studio.api.models import Token
from studio.error_pages import reads_pages

FORM_BYTES = 3_000_000
# static/js/page.js writes it.
ZONE_COOKIE = "zone"
OWN_LOOKS = "style-src 'self'; font-src 'self'; img-src 'self'"


class UserRequest(HttpRequest):
    """A request behind the sign-in, as the middleware completes it."""

    user: User
    htmx: HtmxDetails


def language(scope) -> str:
    """The language in which to answer a request or a socket: `?lang=`, or what the browser wants.

    Where its page is known only to the page: not all browsers say for sockets what they want.
    """
    wanted = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])[0]
    if wanted in dict(settings.LANGUAGES):
        return wanted
    return get_language_from_request(ASGIRequest({**scope, "method": "GET"}, io.BytesIO()))


def page_request(scope) -> HttpRequest:
    """The request of the page that opened a socket, as far as its address and its reader go.

    A program says no origin: it came to us in the way that it will come for what it is told of.
    """
    came = "https" if scope.get("scheme") in ("https", "wss") else "http"
    scheme = origin(scope).scheme or came
    request = ASGIRequest({**scope, "method": "GET", "scheme": scheme}, io.BytesIO())
    request.user = scope["user"]
    request.auth = scope.get("token")  # type: ignore[attr-defined]  # as the API's requests have it
    return request


def origin(scope) -> SplitResult:
    """What a browser says of the page that opened a socket; empty where that makes no sense."""
    try:
        return urlsplit(Headers(scope=scope).get("origin", ""))
    except ValueError:
        return urlsplit("")


class BodyTooLarge(Exception):
    """More bytes came than any form of ours has."""


def has_account(scope) -> bool:
    """Whether whoever asks is signed in, or comes with a token."""
    request = ASGIRequest(scope, io.BytesIO())
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return Token.objects.find(secret.strip()) is not None
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    return get_user(request).is_authenticated


def without_zeros(scope):
    """A request for the same address without what PostgreSQL takes in no text, and no name has."""
    path = scope["path"].replace("\0", "\ufffd")
    query = scope["query_string"].replace(b"%00", b"%EF%BF%BD")
    return {**scope, "path": path, "query_string": query}


def emptied(scope, receive):
    """A request as if nothing came with it: that is dropped, piece by piece."""
    about = (b"content-length", b"content-type")
    headers = [each for each in scope["headers"] if each[0] not in about]
    asked = False

    async def receive_nothing():
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request"}
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return {**scope, "headers": headers}, receive_nothing


class RequestGuard:
    """Bounds request bodies while they come, and says so in words when the disk takes no more.

    Who has no account brings no files: of what is larger than a form nothing is kept, not even
    until they are asked to sign in.
    """

    def __init__(self, app) -> None:
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = without_zeros(scope)
        limit, received, started = FORM_BYTES, 0, False
        headers = Headers(scope=scope)
        length = int(headers.get("content-length") or 0)
        if scope["path"].startswith(("/projects/", "/api/", "/start/")):
            limit += settings.UPLOAD_FILES * settings.UPLOAD_BYTES
        large = FORM_BYTES < length <= limit or "transfer-encoding" in headers
        if large and limit > FORM_BYTES and not await database_sync_to_async(has_account)(scope):
            limit = FORM_BYTES
            if length:
                scope, receive = emptied(scope, receive)
                length = 0

        async def bounded_receive():
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise BodyTooLarge
            return message

        async def noticed_send(message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            if length > limit:
                raise BodyTooLarge
            await self.app(scope, bounded_receive, noticed_send)
        except BodyTooLarge:
            status, problem = 413, gettext_noop("The files are too large to be sent at once.")
        except OSError as error:
            if started or error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            status, problem = (
                507,
                gettext_noop(
                    "The disk of the server is full; nothing was stored. Ask whoever runs it to "
                    "make room, then try again."
                ),
            )
        else:
            return
        with override(language(scope)):
            # The connection can't be used again: the rest of the body is still on its way.
            about = {"connection": "close"}
            told = gettext(problem)
            response: Response
            if scope["path"].startswith("/api/"):
                text = details.text(status, "too_large" if status == 413 else "disk_full", told)
                response = Response(text, status, about, details.MEDIA_TYPE)
            elif reads_pages(headers.get("accept", "")):
                page = render_to_string("refused.html", {"told": told})
                about["content-security-policy"] = f"default-src 'none'; {OWN_LOOKS}"
                response = HTMLResponse(page, status, about)
            else:
                response = PlainTextResponse(told, status, about)
        await response(scope, receive, send)


class OwnAgentCluster(MiddlewareMixin):
    """Asks browsers for a process for this origin alone.

    A page that a run made may compute for ever on a host of the same domain, without this page
    standing still.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response["Origin-Agent-Cluster"] = "?1"
        return response


@sync_and_async_middleware
def readers_zone(get_response):
    """Answers with the days and times of the zone that a reader's browser is in, once it said so.

    Without it they are those of `TIME_ZONE`.
    """

    async def later(request: HttpRequest) -> HttpResponse:
        with timezone.override(_zone(request)):
            return await get_response(request)

    def answer(request: HttpRequest) -> HttpResponse:
        with timezone.override(_zone(request)):
            return get_response(request)

    return later if iscoroutinefunction(get_response) else answer


def _zone(request: HttpRequest) -> ZoneInfo | None:
    name = request.COOKIES.get(ZONE_COOKIE, "")
    return ZoneInfo(name) if name in _zones() else None


@cache
def _zones() -> set[str]:
    return available_timezones()


class SameOrigin:
    """Refuses sockets that a page of another origin opens, or that say no origin."""

    def __init__(self, app) -> None:
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        host, page = Headers(scope=scope).get("host", ""), origin(scope)
        domain, _ = split_domain_port(host)
        allowed = validate_host(domain, settings.ALLOWED_HOSTS)
        # Who is between browser and server can put a page of their own there, without HTTPS.
        safe = page.scheme == "https" or not settings.HTTPS
        if allowed and safe and page.netloc == host:
            await self.app(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)
