"""What somebody has open at the moment when they may not look any more."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from studio import doors
from studio.accounts.models import User
from studio.api import sockets, stream
from studio.api.models import Token
from studio.asgi import application
from studio.projects.models import Member, Project, Role
from studio.projects.trash import discard
from studio.runs import consumers
from studio.runs.models import Run
from studio.sharing import consumers as sharing
from studio.sharing.models import Share
from studio.sockets import NOT_FOUND, TRY_AGAIN
from tests.studio.conftest import shared, signed_in
from tests.studio.runs.test_consumers import Page, say
from tests.studio.sharing.test_sockets import Page as SharedPage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


REAL_LOOK_SECONDS = doors.LOOK_SECONDS


@pytest.fixture(autouse=True)
def nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for news of a run or a share, so all that ends something is that it is shut."""
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    monkeypatch.setattr(sharing, "REREAD_SECONDS", 3600)
    monkeypatch.setattr(doors, "LOOK_SECONDS", 0.05)


@pytest.fixture
def bob(run: Run) -> User:
    user = User.objects.create_user("bob", password="of the builders")
    Member.objects.create(project=run.project, user=user, role=Role.EDITOR)
    return user


@pytest.fixture
def bobs_browser(bob: User) -> Client:
    return signed_in(bob)


class ProjectPage(ApplicationCommunicator):
    """The socket of a page of a project."""

    def __init__(self, client: Client, project_id: str) -> None:
        cookies = "; ".join(f"{name}={item.value}" for name, item in client.cookies.items())
        said = {"host": "localhost:8000", "origin": "http://localhost:8000", "cookie": cookies}
        scope = {
            "type": "websocket",
            "path": f"/ws/projects/{project_id}/",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in said.items()],
        }
        super().__init__(application, scope)

    async def opened(self) -> None:
        await self.send_input({"type": "websocket.connect"})
        assert (await self.receive_output(10))["type"] == "websocket.accept"

    async def code(self) -> int:
        message = await self.receive_output(10)
        assert message["type"] == "websocket.close"
        return message["code"]


async def code_of(page: Page) -> int:
    while page.code is None:
        await page.read()
    return page.code


def put_out(bob: User, project: Project, alice: Client) -> None:
    member = Member.objects.get(user=bob)
    alice.post(f"/projects/{project.pk}/people/{member.pk}/remove/")


def closed(bob: User, project: Project, alice: Client) -> None:
    bob.delete()


def switched_off(bob: User, project: Project, alice: Client) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)


def trashed(bob: User, project: Project, alice: Client) -> None:
    alice.post(f"/projects/{project.pk}/delete/")


WAYS = [put_out, closed, switched_off, trashed]


@pytest.mark.parametrize("ends", WAYS)
async def test_open_pages_end_and_those_of_others_do_not(
    ends: Callable,
    run: Run,
    project: Project,
    bob: User,
    bobs_browser: Client,
    alices_browser: Client,
) -> None:
    his, hers = Page(bobs_browser, run.pk), Page(alices_browser, run.pk)
    waiting = ProjectPage(bobs_browser, run.project_id)
    await say(run, "between us")
    for page in (his, hers):
        assert await page.connect()
        await page.read_until("between us")
    await waiting.opened()
    await database_sync_to_async(ends)(bob, project, alices_browser)
    assert {await code_of(his), await waiting.code()} <= {NOT_FOUND, TRY_AGAIN}
    if ends is trashed:
        assert await code_of(hers) == NOT_FOUND
        return
    await say(run, "between the others")
    await hers.read_until("between the others")
    await hers.disconnect()
    # Coming again is of no use.
    again = Page(bobs_browser, run.pk)
    assert await again.connect()
    assert await code_of(again) == NOT_FOUND
    waiting = ProjectPage(bobs_browser, run.project_id)
    await waiting.opened()
    assert await waiting.code() == NOT_FOUND


async def test_who_is_put_out_reads_no_more_within_a_second(
    run: Run, bobs_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quickest of three counts: on a busy machine the others may have waited for it."""
    monkeypatch.setattr(doors, "LOOK_SECONDS", REAL_LOOK_SECONDS)
    membership = await Member.objects.aget()
    waited = []
    for _ in range(3):
        page = Page(bobs_browser, run.pk)
        await page.connect()
        await page.read()
        await Member.objects.all().adelete()
        began = time.monotonic()
        assert await code_of(page) == NOT_FOUND
        waited.append(time.monotonic() - began)
        await membership.asave(force_insert=True)
    assert min(waited) < 1


async def test_who_is_out_is_told_that_there_is_nothing(
    run: Run, project: Project, bob: User, bobs_browser: Client, alices_browser: Client
) -> None:
    page, waiting = Page(bobs_browser, run.pk), ProjectPage(bobs_browser, run.project_id)
    await page.connect()
    await waiting.opened()
    await database_sync_to_async(put_out)(bob, project, alices_browser)
    assert (await code_of(page), await waiting.code()) == (NOT_FOUND, NOT_FOUND)


@pytest.mark.parametrize("how", ["signed out", "expired", "another password"])
async def test_a_session_that_is_over_reads_no_further(
    how: str, run: Run, bob: User, bobs_browser: Client
) -> None:
    page, waiting = Page(bobs_browser, run.pk), ProjectPage(bobs_browser, run.project_id)
    await page.connect()
    await page.read()
    await waiting.opened()
    if how == "signed out":
        await database_sync_to_async(bobs_browser.logout)()
    elif how == "expired":
        await Session.objects.aupdate(expire_date=timezone.now() - timedelta(seconds=1))
    else:
        bob.set_password("of the bridge")
        await bob.asave()
    # Who is signed in again by now goes on, others find nothing.
    assert (await code_of(page), await waiting.code()) == (TRY_AGAIN, TRY_AGAIN)


def revoked(bob: User, project: Project, alice: Client) -> None:
    Token.objects.all().delete()


def expired(bob: User, project: Project, alice: Client) -> None:
    Token.objects.update(expires=timezone.now())


@pytest.mark.parametrize("ends", [*WAYS, revoked, expired])
async def test_streams_and_sockets_of_programs_end(
    ends: Callable, run: Run, project: Project, bob: User, alices_browser: Client
) -> None:
    secret = await database_sync_to_async(Token.objects.issue)(bob, "Test")
    token = await Token.objects.select_related("user").aget()
    await say(run, "between us")
    frames = stream.told(
        {
            "type": "websocket",
            "scheme": "http",
            "path": "/",
            "query_string": b"after=0",
            "headers": [],
            "url_route": {"kwargs": {"run_id": run.pk}},
            **sockets.reader(token),
        }
    )
    while b"between us" not in await anext(frames):
        pass
    page = Page(None, run.pk, origin="", authorization=f"Bearer {secret}")
    assert await page.connect()
    await page.read_until("between us")
    await database_sync_to_async(ends)(bob, project, alices_browser)
    assert await code_of(page) == NOT_FOUND
    # It ends, without the word that there is nothing left to tell.
    assert b"event: end" not in b"".join([frame async for frame in frames])


@pytest.mark.parametrize("how", ["expired", "trashed", "password", "revoked", "owner"])
async def test_a_visitors_page_ends_with_its_link(how: str, project: Project) -> None:
    _, path = await database_sync_to_async(shared)(project)
    page = SharedPage(path)
    await page.opened()
    await page.stamp()
    if how == "expired":
        await Share.objects.aupdate(expires=timezone.now())
    elif how == "trashed":
        await database_sync_to_async(discard)(project)
    elif how == "password":
        await Share.objects.aupdate(edition=2)
    elif how == "revoked":
        await Share.objects.aupdate(revoked=timezone.now())
    else:
        await User.objects.aupdate(is_active=False)
    assert await page.code() == NOT_FOUND


async def test_only_members_have_a_socket_that_waits(
    run: Run, bobs_browser: Client, alices_browser: Client
) -> None:
    """The owner's pages stay as quick to come back to as they were."""
    page = f"/projects/{run.project_id}/"
    his = await database_sync_to_async(bobs_browser.get)(page)
    hers = await database_sync_to_async(alices_browser.get)(page)
    assert f'data-watched="/ws{page}"' in his.content.decode()
    assert "data-watched" not in hers.content.decode()
