"""A page that somebody has open hears when its share is closed."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from studio import sockets
from studio.asgi import application
from studio.runs.models import Run
from studio.sharing import consumers
from studio.sharing.models import Share
from tests.studio.conftest import save, shared

pytestmark = pytest.mark.django_db(transaction=True)

save_file, make = database_sync_to_async(save), database_sync_to_async(shared)


class Page(ApplicationCommunicator):
    """The socket of a visitor's page."""

    def __init__(self, path: str, **headers: str) -> None:
        said = {"host": "localhost:8000", "origin": "http://localhost:8000"} | headers
        scope = {
            "type": "websocket",
            "path": f"{path}live/",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in said.items()],
        }
        super().__init__(application, scope)

    async def opened(self) -> str:
        """Connect; the first message's kind."""
        await self.send_input({"type": "websocket.connect"})
        return (await self.receive_output(10))["type"]

    async def stamp(self) -> str:
        return json.loads((await self.receive_output(10))["text"])["stamp"]

    async def code(self) -> int:
        message = await self.receive_output(10)
        assert message["type"] == "websocket.close"
        return message["code"]


async def test_an_open_page_hears_at_once_that_the_link_is_revoked(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    share, path = await make(run.project)
    page = Page(path)
    assert await page.opened() == "websocket.accept"
    assert await page.stamp()
    await database_sync_to_async(share.revoke)()
    assert await page.code() == sockets.NOT_FOUND


async def test_a_lost_nudge_is_made_up_for(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    _, path = await make(run.project)
    page = Page(path)
    await page.opened()
    await page.stamp()
    await Share.objects.aupdate(expires=timezone.now() - timedelta(seconds=1))
    assert await page.code() == sockets.NOT_FOUND


async def test_an_open_page_hears_of_what_is_new(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    _, live = await make(run.project)
    page = Page(live)
    await page.opened()
    before = await page.stamp()
    await save_file(run, "a.txt", b"new")
    assert await page.stamp() != before
    await page.send_input({"type": "websocket.disconnect", "code": 1000})
    await page.wait()


async def test_an_open_page_hears_of_what_is_written_anew_in_the_same_run(
    run: Run, monkeypatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    _, live = await make(run.project)
    await save_file(run, "a.txt", b"new")
    page = Page(live)
    await page.opened()
    before = await page.stamp()
    await save_file(run, "a.txt", b"newer")
    assert await page.stamp() != before


async def test_a_new_password_ends_what_was_open(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    share, path = await make(run.project)
    page = Page(path)
    await page.opened()
    await page.stamp()
    share.set_password("open sesame")
    await share.asave()
    assert await page.code() == sockets.NOT_FOUND


async def test_no_socket_opens_for_strangers(run: Run) -> None:
    share, closed = await make(run.project)
    await database_sync_to_async(share.revoke)()
    _, locked = await make(run.project, password="open sesame")
    for path in ("/s/nothing/", closed, locked):
        page = Page(path)
        await page.opened()
        assert await page.code() == sockets.NOT_FOUND


async def test_the_password_opens_the_socket_too(run: Run) -> None:
    _, path = await make(run.project, password="open sesame")
    client = Client(HTTP_HOST="localhost:8000")
    await database_sync_to_async(client.post)(path, {"password": "open sesame"})
    page = Page(path, cookie=f"share={client.cookies['share'].value}")
    await page.opened()
    assert await page.stamp()


@pytest.mark.parametrize("origin", ["http://evil.example", "http://[", "null", ""])
async def test_a_page_of_another_site_gets_no_socket(run: Run, origin: str) -> None:
    _, path = await make(run.project)
    assert await Page(path, origin=origin).opened() == "websocket.close"


async def test_where_https_is_said_no_page_without_it_gets_a_socket(run: Run, settings) -> None:
    settings.HTTPS = True
    _, path = await make(run.project)
    assert await Page(path).opened() == "websocket.close"
    assert await Page(path, origin="https://localhost:8000").opened() == "websocket.accept"
