"""What browsers fetch from the bucket itself, over real HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from channels.db import database_sync_to_async

from studio.runs.models import Run
from tests.studio.artifacts.test_origin import address, get
from tests.studio.conftest import save

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FILM = bytes(range(256)) * 8192
PLAYER = {"sec-fetch-site": "same-site", "sec-fetch-dest": "video", "sec-fetch-mode": "no-cors"}
PICTURE = {**PLAYER, "sec-fetch-dest": "image"}
SAVING = {**PLAYER, "sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}


@pytest.fixture(autouse=True)
def bucket_store(settings, bucket: str, s3_server: str) -> str:
    """What begins all addresses in the bucket."""
    settings.S3_BUCKET, settings.S3_ENDPOINT, settings.S3_REGION = bucket, s3_server, "us-east-1"
    settings.BUCKET_SOURCE = f"{s3_server}/{bucket}/"
    return settings.BUCKET_SOURCE


async def given(run: Run, path: str, data: bytes = FILM, **query: str) -> str:
    digest = await database_sync_to_async(save)(run, path, data)
    return address(run.project_id, path, v=digest, **query)


async def fetched(answer: httpx.Response, **headers: str) -> httpx.Response:
    """What the bucket gives to whoever follows the answer."""
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.get(answer.headers["location"], headers=headers)


async def test_a_large_film_is_played_and_saved_from_the_bucket(
    run: Run, bucket_store: str
) -> None:
    film = await given(run, "film.mp4")
    answer = await get(film, **PLAYER, range="bytes=100-")
    assert answer.status_code == 302
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["location"].startswith(bucket_store)
    # Nobody can take it back from who is put out of the project.
    assert httpx.URL(answer.headers["location"]).params["X-Amz-Expires"] == "60"
    part = await fetched(answer, range="bytes=2-5")
    assert (part.status_code, part.content) == (206, FILM[2:6])
    assert part.headers["content-type"] == "video/mp4"
    assert part.headers["content-disposition"] == "inline"

    saving = await get(await given(run, '音 "乐".mp4', download="1"), **SAVING)
    saved = await fetched(saving)
    assert saved.content == FILM
    assert saved.headers["content-disposition"].startswith('attachment; filename="_ ___.mp4"')


@pytest.mark.parametrize(
    ("path", "query", "asks"),
    [
        ("page.html", {}, {**SAVING, "sec-fetch-dest": "iframe"}),
        ("page.html", {"download": "1"}, SAVING),
        ("logo.svg", {}, PICTURE),
        ("code.js", {}, {**PLAYER, "sec-fetch-dest": "script"}),
        ("paper.pdf", {}, {**SAVING, "sec-fetch-dest": "iframe"}),
        # In a tab of its own, where nothing but our headers keeps it from being something else.
        ("film.mp4", {}, SAVING),
        ("page.html", {}, PLAYER),
        # A page made here could not draw or play what comes from elsewhere.
        ("film.mp4", {}, {**PLAYER, "sec-fetch-site": "same-origin"}),
        ("film.mp4", {}, {**PLAYER, "origin": "http://localhost:8000"}),
        ("film.mp4", {}, {}),
    ],
)
async def test_what_could_act_or_is_read_by_a_page_comes_from_its_own_origin(
    run: Run, path: str, query: dict[str, str], asks: dict[str, str]
) -> None:
    answer = await get(await given(run, path, **query), **asks)
    assert (answer.status_code, answer.content) == (200, FILM)


async def test_small_ones_are_sent_and_kept_by_the_browser(run: Run) -> None:
    answer = await get(await given(run, "poster.png", b"small"), **PICTURE)
    assert (answer.status_code, answer.content) == (200, b"small")
    assert "immutable" in answer.headers["cache-control"]


async def test_nobody_is_led_where_the_app_does_not_let_its_pages_go(run: Run, settings) -> None:
    settings.BUCKET_SOURCE = "https://elsewhere.example/"
    answer = await get(await given(run, "film.mp4"), **PLAYER)
    assert (answer.status_code, answer.content) == (200, FILM)


def test_the_apps_pages_may_show_what_comes_from_the_bucket_and_no_more(tmp_path: Path) -> None:
    command = "from studio import settings as s; print(s.CONTENT_SECURITY_POLICY['DIRECTIVES'])"
    environment = {**os.environ, "STUDIO_VAR": str(tmp_path), "STUDIO_S3_BUCKET": "made"}
    for endpoint, source in (
        ("", "https://made.s3.amazonaws.com/"),
        ("https://minio.example/", "https://minio.example/made/"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", command],
            env={**environment, "STUDIO_S3_ENDPOINT": endpoint},
            capture_output=True,
            text=True,
            check=True,
        )
        policy = eval(done.stdout)
        assert {name for name in policy if source in policy[name]} == {"img-src", "media-src"}
