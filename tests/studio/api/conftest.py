"""Programs that act for the cast, and a studio that answers over real HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from django.test import Client

from studio.accounts.models import User
from studio.api.models import Scope, Token
from studio.asgi import application


@dataclass
class Program:
    """Asks as a user's program does: with a token and without any cookie."""

    token: str
    client: Client = field(default_factory=lambda: Client(HTTP_HOST="localhost:8000"))

    def ask(self, method: str, path: str, data: Any = None, **headers: str):
        given = {"HTTP_AUTHORIZATION": f"Bearer {self.token}", **headers}
        address = path if path.startswith("/") else f"/api/v1/{path}"
        if method == "POST" and (data is None or not isinstance(data, str)):
            return self.client.post(address, data or {}, **given)
        return self.client.generic(
            method, address, data or "", content_type="application/json", **given
        )

    def get(self, path: str, **headers: str):
        return self.ask("GET", path, **headers)

    def post(self, path: str, data: Any = None, **headers: str):
        """A form, or JSON if it is a text."""
        return self.ask("POST", path, data, **headers)

    def patch(self, path: str, **fields: Any):
        return self.ask("PATCH", path, json.dumps(fields))

    def delete(self, path: str):
        return self.ask("DELETE", path)


def program(user: User, scope: str = Scope.WRITE, **given: Any) -> Program:
    return Program(Token.objects.issue(user, "Test", scope, **given))


@pytest.fixture
def alices(alice: User) -> Program:
    return program(alice)


@pytest.fixture
def charlies(charlie: User) -> Program:
    return program(charlie)


@pytest.fixture
def served(settings, redis_url: str) -> Iterator[str]:
    """The address of the studio's own web application; needs a database of more than one thread."""
    # A layer in memory is not for several threads.
    layer = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": layer, "CONFIG": {"hosts": [redis_url]}}}
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, lifespan="off", log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listening.close()
