"""The sockets of runs for programs: a token in the header instead of a cookie and an origin."""

from __future__ import annotations

import uuid
from typing import Any

from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http.request import split_domain_port, validate_host
from starlette.datastructures import Headers

from studio.api import places
from studio.api.models import Token, still_valid
from studio.api.problems import Refused
from studio.api.tokens import Request
from studio.doors import Door


class TokenSockets:
    """Lets in who comes with a valid token, sends who comes without one to `browsers`."""

    def __init__(self, app, browsers) -> None:
        self.app, self.browsers = app, browsers

    async def __call__(self, scope, receive, send) -> None:
        headers = Headers(scope=scope)
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            await self.browsers(scope, receive, send)
            return
        domain, _ = split_domain_port(headers.get("host", ""))
        found = await database_sync_to_async(Token.objects.find)(secret.strip())
        if found is None or not validate_host(domain, settings.ALLOWED_HOSTS):
            await WebsocketDenier()(scope, receive, send)
            return
        try:
            place = await places.take(found.user)
        except Refused:
            await WebsocketDenier()(scope, receive, send)
            return
        async with places.kept(place):
            await self.app({**scope, **reader(found)}, receive, send)


def reader(token: Token) -> dict[str, Any]:
    """Who reads a socket, and by what."""
    return {"user": token.user, "token": token, "door": Door(still_valid, token.pk)}


def scope_of(request: Request, run_id: uuid.UUID, after: int) -> dict[str, Any]:
    """The scope of the socket that would tell what this request asks for."""
    assert isinstance(request, ASGIRequest)
    return {
        **request.scope,
        **reader(request.auth),
        "type": "websocket",
        "url_route": {"kwargs": {"run_id": run_id}},
        "query_string": f"after={after}".encode(),
    }
