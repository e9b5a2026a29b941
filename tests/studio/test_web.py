from __future__ import annotations

import errno

import httpx
import pytest
from starlette.responses import PlainTextResponse

from studio import web
from studio.asgi import application


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
