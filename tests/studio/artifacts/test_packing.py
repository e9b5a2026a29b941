"""A page made self-contained, with a sandbox that only pretends to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.errors import SandboxUnavailable
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox
from studio.artifacts import packing
from studio.artifacts.models import Artifact, Packing, Version
from studio.inspections.models import Inspection
from studio.media import store
from studio.runs.models import Run
from tests.studio.conftest import save

pytestmark = pytest.mark.django_db


class Packer(MemorySandbox):
    """Its `standalone` joins what lies beside the page, and exits with `code`."""

    def __init__(self, code: int = 0, notes: bytes = b"") -> None:
        super().__init__()
        self.code, self.notes = code, notes

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        if "standalone" in command:
            page = b"".join(data for path, data in sorted(self.files.items()) if "output" in path)
            self.files[packing.OUT] = page
            self.files[packing.NOTES_FILE] = self.notes
            yield Exited(self.code)
        else:
            yield Exited(0)


@pytest.fixture
def page(run: Run) -> Version:
    save(run, "site/look.css", b"blue;")
    save(run, "site/page.html", b"page;")
    version = Artifact.objects.get(kind="html").latest
    assert version is not None
    return version


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch):
    def use(sandbox: MemorySandbox) -> None:
        monkeypatch.setattr(packing, "bench", lambda: sandbox)

    return use


def work(version: Version) -> Packing:
    """Ask, and do what was asked; what came of it."""
    packing.pack(packing.ask(version).pk)
    return Packing.objects.get(version=version)


def test_a_page_becomes_a_file_of_its_own_with_what_lies_beside_it(page: Version, bench) -> None:
    bench(Packer())
    done = work(page)
    assert (done.state, done.notes) == ("done", "")
    made = done.result
    assert made is not None
    assert (made.artifact.path, made.number) == ("site/page.standalone.html", 1)
    assert (made.run, made.source) == (None, page)
    assert b"".join(store().open(made.digest)) == b"blue;page;"
    assert Inspection.objects.filter(version=made).exists()


def test_what_could_not_be_put_in_is_told_within_bounds(
    page: Version, bench, alices_browser: Client
) -> None:
    bench(Packer(1, b"<b>http://cdn.example/x.js</b>\n\0" + b"y\n" * 9000))
    done = work(page)
    assert done.state == "done"
    assert len(done.notes.splitlines()) <= packing.NOTES
    address = reverse("artifacts:packed", args=[page.artifact.project_id, page.artifact.path])
    told = alices_browser.get(address, {"version": page.number}).content.decode()
    assert "page.standalone.html is ready" in told
    assert "&lt;b&gt;http://cdn.example/x.js" in told


def test_a_tool_that_breaks_makes_no_file(page: Version, bench, alices_browser: Client) -> None:
    bench(Packer(137))
    assert work(page).state == "failed"
    assert not Artifact.objects.filter(path__contains="standalone").exists()
    assert (
        "could not be made self-contained"
        in alices_browser.get(page.artifact.detail_url).content.decode()
    )
    bench(Packer())
    assert work(page).state == "done"


def test_a_page_for_which_its_owner_has_no_room_is_not_kept(
    page: Version, bench, settings, alices_browser: Client
) -> None:
    settings.USER_BYTES = 12
    bench(Packer())
    assert work(page).state == "failed"
    assert "no room left" in alices_browser.get(page.artifact.detail_url).content.decode()
    settings.USER_BYTES = 100
    assert work(page).state == "done"


def test_an_engine_that_is_away_is_a_failure(
    page: Version, monkeypatch, alices_browser: Client
) -> None:
    def away() -> MemorySandbox:
        raise SandboxUnavailable("gone")

    monkeypatch.setattr(packing, "bench", away)
    assert work(page).state == "failed"
    page_of_file = alices_browser.get(page.artifact.detail_url).content.decode()
    assert "No sandbox can be started" in page_of_file


def test_asked_for_twice_it_is_packed_once(
    page: Version, bench, django_capture_on_commit_callbacks
) -> None:
    bench(Packer())
    with django_capture_on_commit_callbacks() as callbacks:
        first, second = packing.ask(page), packing.ask(page)
    assert (first.pk, len(callbacks)) == (second.pk, 1)
    packing.pack(first.pk)
    packing.pack(first.pk)
    assert Version.objects.filter(source=page).count() == 1


def test_what_was_lost_is_told_again_and_what_was_left_is_given_up(
    page: Version, monkeypatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(packing, "send", sent.append)
    asked = packing.ask(page)
    packing.recover()
    assert sent == []
    long_ago = timezone.now() - timedelta(hours=1)
    Packing.objects.update(lease_until=long_ago)
    packing.recover()
    packing.recover()
    assert sent == [asked.pk]
    Packing.objects.update(state=Packing.RUNNING, lease_until=long_ago)
    packing.recover()
    asked.refresh_from_db()
    assert asked.state == "failed"


def test_only_pages_are_packed(run: Run, alices_browser: Client) -> None:
    save(run, "notes.txt", b"x")
    artifact = Artifact.objects.get()
    address = reverse("artifacts:pack", args=[artifact.project_id, artifact.path])
    assert alices_browser.post(address, {"version": 1}).status_code == 404


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a/b.html", "a/b.standalone.html"),
        ("index.htm", "index.standalone.html"),
        ("x.standalone.html", "x.standalone.html"),
        ("y" * 490 + ".html", None),
    ],
)
def test_where_it_goes(path: str, wanted: str | None) -> None:
    assert packing.standalone_path(path) == wanted


@pytest.mark.engine
@pytest.mark.slow
def test_a_real_page_has_all_of_it_inside_and_tells_what_is_not(run: Run, engine) -> None:
    save(run, "site/look.css", b"h1 { color: rebeccapurple }")
    page = b"""<!doctype html><html lang="en"><title>x</title>
    <link rel="stylesheet" href="look.css"><h1>Hello</h1>
    <script src="https://nowhere.example/a.js"></script>"""
    save(run, "site/page.html", page)
    version = Artifact.objects.get(kind="html").latest
    assert version is not None
    done = work(version)
    assert done.result is not None
    packed = b"".join(store().open(done.result.digest)).decode()
    assert "rebeccapurple" in packed
    assert 'href="look.css"' not in packed
    assert "nowhere.example/a.js" in done.notes
