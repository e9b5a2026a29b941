"""What is for everybody: the public gallery, oEmbed, and what search engines are told."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from studio.artifacts.models import Artifact
from studio.inspections.models import Inspection, Preview, Role
from studio.media import store
from studio.projects.requests import begin_project
from studio.runs.models import Run
from studio.sharing import picture, reach
from studio.sharing.models import Share
from tests.studio.conftest import save, shared

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(run: Run) -> Run:
    save(run, "poster.html", b"<h1>Poster</h1>")
    return run


@pytest.fixture
def stranger() -> Client:
    return Client(HTTP_HOST="localhost:8000")


def test_the_public_gallery_shows_what_is_listed_and_open(made: Run, stranger: Client) -> None:
    listed, path = shared(made.project, listed=True)
    hidden, _ = shared(made.project)
    page = stranger.get("/explore/").content.decode()
    assert path in page
    assert hidden.path not in page
    Share.objects.filter(pk=listed.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert path not in stranger.get("/explore/").content.decode()


def test_what_can_be_seen_stands_for_a_project_in_the_gallery(
    made: Run, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared(made.project, listed=True)
    for number in range(3):
        save(made, f"{number}.txt", b"notes")
    inspection = Inspection.objects.get(version__artifact__path="poster.html")
    blob = store().put([b"\xff\xd8\xffposter\xff\xd9"])
    Preview.objects.create(
        inspection=inspection, role=Role.POSTER, digest=blob.digest, size=blob.size
    )
    page = stranger.get("/explore/").content.decode()
    assert blob.digest in page
    assert "4 files" in page
    monkeypatch.setattr(picture, "BATCH", 1)
    files = reach.shown(Share.objects.get())
    for some in (files, files[::-1]):
        found = picture.of(some)
        assert found
        assert found.digest == blob.digest
    Artifact.objects.update(removed=True)
    assert "4 files" not in stranger.get("/explore/").content.decode()


def test_the_public_gallery_has_pages(made: Run, stranger: Client, alice) -> None:
    for number in range(25):
        run = begin_project(alice, f"Thing {number}", [])
        save(run, "a.txt", b"a")
        shared(run.project, listed=True)
    first = stranger.get("/explore/").content.decode()
    assert "Thing 24<" in first
    assert "Thing 0<" not in first
    assert 'href="?page=2"' in first
    assert "Thing 0<" in stranger.get("/explore/?page=2").content.decode()


def test_search_engines_read_the_gallery_and_what_tells_them_not_to_keep_it(
    stranger: Client,
) -> None:
    answer = stranger.get("/robots.txt")
    assert answer["content-type"].startswith("text/plain")
    rules = answer.content.decode().splitlines()
    assert "Disallow: /" in rules
    assert "Allow: /explore/" in rules
    # Whoever may not read a page does not read on it that it must not be found.
    assert "Allow: /s/" in rules


def test_other_sites_learn_how_to_embed_a_link(made: Run, stranger: Client) -> None:
    _, path = shared(made.project, artifact=Artifact.objects.get())
    page = stranger.get(path).content.decode()
    found = re.search(r'type="application/json\+oembed" href="http://localhost:8000(.+?)"', page)
    assert found
    answer = stranger.get(html.unescape(found[1])).json()
    assert (answer["version"], answer["type"], answer["title"]) == ("1.0", "rich", "poster.html")
    assert f'src="http://localhost:8000{path}embed/"' in answer["html"]
    small = stranger.get(html.unescape(found[1]) + "&maxwidth=300&maxheight=250").json()
    assert (small["width"], small["height"]) == (300, 250)
    assert 'width="300" height="250"' in small["html"]


def test_a_hostile_title_stays_a_title(made: Run, stranger: Client) -> None:
    made.project.title = '"><script>canary()</script>'
    made.project.save()
    _, path = shared(made.project)
    answer = stranger.get(f"/oembed/?url=http://localhost:8000{path}").json()
    assert "<script" not in answer["html"]


def test_nothing_is_told_of_what_is_closed_locked_or_elsewhere(made: Run, stranger: Client) -> None:
    _, locked = shared(made.project, password="open sesame")
    revoked, closed = shared(made.project)
    revoked.revoke()
    _, fine = shared(made.project)
    for url, status in {
        f"http://localhost:8000{locked}": 401,
        f"http://localhost:8000{closed}": 404,
        f"http://evil.example{fine}": 404,
        f"http://localhost:8000/projects/{made.project_id}/": 404,
        "http://localhost:8000/s/": 404,
        "http://[": 404,
        "": 404,
    }.items():
        assert stranger.get(f"/oembed/?url={quote(url)}").status_code == status
    url = quote(f"http://localhost:8000{fine}")
    assert stranger.get(f"/oembed/?format=xml&url={url}").status_code == 501


@hypothesis_settings(max_examples=25)
@given(st.text(max_size=80), st.text(max_size=8))
def test_whatever_is_asked_for_is_answered(url: str, width: str) -> None:
    client = Client(HTTP_HOST="localhost:8000")
    answer = client.get("/oembed/", {"url": f"http://localhost:8000/s/{url}/", "maxwidth": width})
    assert answer.status_code == 404


@hypothesis_settings(max_examples=25)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_a_token_that_nobody_made_opens_nothing(token: str) -> None:
    client = Client(HTTP_HOST="localhost:8000")
    assert client.get(f"/s/{quote(token, safe='')}/").status_code in (301, 404)
