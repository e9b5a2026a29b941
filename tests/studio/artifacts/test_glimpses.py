"""Bytes that belong to no artifact: only the page that was told of them gets at them."""

from __future__ import annotations

import httpx
import pytest
from channels.db import database_sync_to_async

from studio.artifacts import glimpses, links
from studio.asgi import application
from studio.media import store
from studio.projects.models import Project
from tests.studio.conftest import asked

pytestmark = pytest.mark.django_db(transaction=True)

PICTURE = b"\x89PNG\r\n\x1a\n"


@database_sync_to_async
def put(data: bytes = PICTURE) -> str:
    return store().put([data]).digest


async def get(url: str, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.get(url, headers=headers)


async def test_a_glimpse_is_served_to_whoever_has_its_address(project: Project) -> None:
    digest = await put()
    url = glimpses.address(asked(), project.pk, "frames/0001.png", digest)
    assert url.startswith(f"http://{project.pk}.artifacts.localhost:8000/")
    answer = await get(url)
    assert (answer.status_code, answer.content) == (200, PICTURE)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors" in answer.headers["content-security-policy"]
    part = await get(glimpses.address(asked(), project.pk, "a.wav", digest), range="bytes=0-3")
    assert (part.status_code, part.content) == (206, PICTURE[:4])
    assert part.headers["content-type"] == "audio/wav"


async def test_no_digest_opens_anything_that_was_not_given_to_this_project(
    project: Project,
) -> None:
    digest, other = await put(), await put(b"other")
    name = glimpses.address(asked(), project.pk, "a.png", digest).rpartition("/")[2]
    of_another = glimpses.address(asked(), "another", "a.png", digest).rpartition("/")[2]
    assert glimpses.shown(name, project.pk)
    for wrong in (
        name.replace(digest, other),
        name.replace(".png.", ".html."),
        name[:-1],
        f"{digest}.png.",
        digest,
        "",
        of_another,
    ):
        assert glimpses.shown(wrong, project.pk) is None
        url = links.address(asked(), project.pk, f".studio/glimpse/{wrong}")
        assert (await get(url)).status_code == 404


@pytest.mark.parametrize(
    "path", ["a.svg", "a.html", "a", "a.js", "a.png/b", "a.\u202epng", "a.p:ng"]
)
async def test_what_could_be_active_is_never_served(project: Project, path: str) -> None:
    url = glimpses.address(asked(), project.pk, path, await put())
    assert (await get(url)).status_code == 404


async def test_a_glimpse_that_was_swept_is_missing(project: Project) -> None:
    url = glimpses.address(asked(), project.pk, "a.png", "0" * 64)
    assert (await get(url)).status_code == 404
