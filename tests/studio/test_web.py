from __future__ import annotations

import asyncio
import errno
from urllib.parse import unquote

import httpx
import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from starlette.responses import PlainTextResponse

from studio import web
from studio.accounts.models import User
from studio.api.models import Token
from studio.asgi import application
from tests.studio.conftest import signed_in


async def post(app, content, path: str = "/accounts/login/", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        return await client.post(path, content=content, headers=headers)


async def pieces(count: int):
    for _ in range(count):
        yield bytes(100_000)


async def test_a_body_larger_than_any_form_is_refused_by_its_length() -> None:
    answer = await post(application, b"x", **{"content-length": str(10**12)})
    assert answer.status_code == 413
    assert "too large" in answer.text


async def test_a_body_that_says_no_length_is_counted(db) -> None:
    sent = 0

    async def endless():
        nonlocal sent
        async for piece in pieces(1000):
            sent += 1
            yield piece

    assert (await post(application, endless())).status_code == 413
    assert sent * 100_000 < web.FORM_BYTES + 300_000


async def test_a_body_that_is_longer_than_it_says_is_counted(db) -> None:
    answer = await post(application, pieces(1000), **{"content-length": "10"})
    assert answer.status_code == 413


async def weighs(scope, receive, send) -> None:
    """An app that says how many bytes it was sent."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await PlainTextResponse(str(size))(scope, receive, send)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["session", "token"])
async def test_who_has_an_account_may_send_large_files(way: str, alice) -> None:
    headers = await database_sync_to_async(signs_in)(way, alice)
    for length in ({}, {"content-length": "5000000"}):
        answer = await post(
            web.RequestGuard(weighs), pieces(50), "/projects/new/", **headers, **length
        )
        assert answer.text == "5000000"


def signs_in(way: str, user: User) -> dict[str, str]:
    if way == "token":
        return {"authorization": f"Bearer {Token.objects.issue(user, 'A program')}"}
    return {"cookie": f"sessionid={signed_in(user).cookies['sessionid'].value}"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/projects/new/", "/api/v1/projects", "/start/en/piano/make/"])
@pytest.mark.parametrize("says", ["", "sessionid=guessed", "Bearer guessed"])
async def test_of_who_has_no_account_nothing_large_is_taken_in(path: str, says: str) -> None:
    header = "authorization" if says.startswith("Bearer") else "cookie"
    headers = {header: says, "content-length": "5000000"}
    answer = await post(web.RequestGuard(weighs), pieces(50), path, **headers)
    assert answer.text == "0"
    # As from a page whose session is over: it is told to sign in, as it is of any form.
    proof = {"cookie": f"csrftoken={'a' * 32}; {headers.get('cookie')}", "x-csrftoken": "a" * 32}
    answer = await post(application, pieces(50), path, **headers | proof)
    told = answer.headers.get("location", "").partition("?")[0]
    assert (answer.status_code, told) == (
        (401, "") if "/api/" in path else (302, "/accounts/login/")
    )
    del headers["content-length"]
    assert (await post(application, pieces(50), path, **headers)).status_code == 413


@pytest.mark.django_db(transaction=True)
async def test_an_address_with_a_zero_leads_nowhere(project, alices_browser) -> None:
    told = []

    async def app(scope, receive, send) -> None:
        told.append(scope["path"] + unquote(scope["query_string"].decode()))
        await PlainTextResponse("")(scope, receive, send)

    await post(web.RequestGuard(app), b"", "/files/a%00b?v=c%00d")
    assert told == ["/files/a\ufffdbv=c\ufffdd"]
    cookie = f"sessionid={alices_browser.cookies['sessionid'].value}"
    headers = {"host": "localhost:8000", "cookie": cookie}
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        for path in ("files/a%00", "inputs/a%00", "shares/?file=a%00"):
            answer = await client.get(f"{project.get_absolute_url()}{path}", headers=headers)
            assert answer.status_code == 404


async def test_a_disk_that_is_full_while_a_form_comes_is_said(settings) -> None:
    async def full(scope, receive, send):
        raise OSError(errno.ENOSPC, "No space left on device")

    answer = await post(web.RequestGuard(full), b"x", **{"accept-language": "en"})
    assert answer.status_code == 507
    assert "full" in answer.text


async def test_other_errors_are_not_taken_for_a_full_disk() -> None:
    async def broken(scope, receive, send):
        raise OSError(errno.EACCES, "Permission denied")

    with pytest.raises(PermissionError):
        await post(web.RequestGuard(broken), b"x")


async def test_an_answer_that_has_begun_is_not_followed_by_another() -> None:
    async def breaks_off(scope, receive, send):
        await PlainTextResponse("half")(scope, receive, send)
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        await post(web.RequestGuard(breaks_off), b"x")


async def test_two_readers_at_once_have_each_their_zone() -> None:
    """The same thread answers both: nothing of one is left for the other or for who follows."""
    both = asyncio.Barrier(2)

    async def view(request: HttpRequest) -> HttpResponse:
        before = timezone.get_current_timezone_name()
        await both.wait()
        now = await sync_to_async(timezone.get_current_timezone_name)()
        return HttpResponse(f"{before} {now}")

    async def asked(zone: str) -> str:
        request = HttpRequest()
        request.COOKIES["zone"] = zone
        answer = await web.readers_zone(view)(request)
        assert timezone.get_current_timezone_name() == "UTC"
        return answer.content.decode()

    zones = ["Asia/Shanghai", "America/New_York"]
    assert await asyncio.gather(*map(asked, zones)) == [f"{zone} {zone}" for zone in zones]
    assert await asyncio.gather(asked("Mars/Olympus"), asked("")) == ["UTC UTC"] * 2


def test_no_zone_is_left_in_the_thread_that_answered() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(timezone.get_current_timezone_name())

    def broken(request: HttpRequest) -> HttpResponse:
        raise LookupError

    request = HttpRequest()
    request.COOKIES["zone"] = "Asia/Shanghai"
    assert web.readers_zone(view)(request).content == b"Asia/Shanghai"
    with pytest.raises(LookupError):
        web.readers_zone(broken)(request)
    assert timezone.get_current_timezone_name() == "UTC"
