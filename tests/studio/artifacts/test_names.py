"""Hostile names all the way: from the sandbox through the journal to page, link and zip."""

from __future__ import annotations

import asyncio
import io
import zipfile
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings

from agent.testing import ScriptedModel, bash, submit
from studio.artifacts.models import PATH_LENGTH
from studio.projects.requests import begin_project
from studio.runs import worker
from studio.runs.models import Run
from tests.agent.test_capture import HOSTILE, IMPOSSIBLE, NAMES, Hostile
from tests.studio.artifacts.test_origin import get
from tests.studio.runs.test_worker import ended

pytestmark = pytest.mark.django_db(transaction=True)


class Page(HTMLParser):
    """What a browser makes of a page: the paths of its cards and whatever would act by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.paths: list[str] = []
        self.acting: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if "card" in (told.get("class") or "").split():
            self.paths.append(told["data-path"] or "")
        self.acting += [name for name in told if name.startswith("on")]
        if tag == "script" and "src" not in told and told.get("type") != "application/json":
            self.acting.append(tag)


def made(names: list[str], user, monkeypatch) -> Run:
    """A finished run whose sandbox reported these names."""
    sandbox = Hostile(names)
    monkeypatch.setattr(worker, "sandbox", lambda run: sandbox)
    monkeypatch.setattr(worker, "model", lambda run: ScriptedModel([bash("true"), submit("Done.")]))
    run = begin_project(user, "Odd names", [])
    worker.execute(run.pk)
    assert ended(run)[0] == "submitted", run.message
    kept = run.events.filter(kind="artifact.saved").count()
    skipped = run.events.filter(kind="artifact.skipped").count()
    assert kept + skipped == len(sandbox.content)
    return run


def gallery(browser: Client, url: str) -> list[str]:
    """The paths on all pages of a project's gallery, none of which does anything by itself."""
    paths, query = [], {}
    while True:
        answer = browser.get(f"{url}gallery/" if query else url, query)
        assert answer.status_code == 200
        page = Page(answer.content.decode())
        assert page.acting == []
        paths += page.paths
        if not answer.context["next"]:
            return paths
        query = {"before": str(answer.context["next"])}


@pytest.mark.slow
@hypothesis_settings(
    max_examples=10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(NAMES)
@example(HOSTILE)
@example(IMPOSSIBLE)
def test_whatever_a_file_is_called_it_is_listed_downloaded_and_zipped(
    alice, alices_browser: Client, monkeypatch, names: list[str]
) -> None:
    run = made(names, alice, monkeypatch)
    artifacts = list(run.project.artifacts.shown())
    listed = gallery(alices_browser, run.project.get_absolute_url())
    assert sorted(listed) == sorted(item.path for item in artifacts)
    assert alices_browser.get(f"/runs/{run.pk}/events/").json()["events"]

    contents = []
    for item in artifacts:
        assert len(item.path) <= PATH_LENGTH
        assert Page(alices_browser.get(item.card_url).content.decode()).paths == [item.path]
        assert alices_browser.get(item.detail_url).status_code == 200
        link = alices_browser.get(item.download_url)
        assert link.status_code == 302
        answer = asyncio.run(get(link["location"]))
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        contents.append(answer.content)

    link = alices_browser.get(f"/projects/{run.project_id}/zip/")
    zipped = asyncio.run(get(link["location"]))
    with zipfile.ZipFile(io.BytesIO(zipped.content)) as archive:
        assert archive.testzip() is None
        readme, *entries = archive.infolist()
        assert readme.filename.startswith("README")
        assert sorted(archive.read(entry) for entry in entries) == sorted(contents)
        for entry in entries:
            path = PurePosixPath(entry.filename)
            assert not path.is_absolute()
            assert not {"", ".", ".."} & set(path.parts)


def test_every_possible_name_of_the_list_is_kept(alice, monkeypatch) -> None:
    assert made(HOSTILE, alice, monkeypatch).project.artifacts.count() == len(HOSTILE)
