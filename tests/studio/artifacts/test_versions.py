"""Versions told, compared and brought back."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from agent.store import Blob
from studio.artifacts import restoring
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, State, Verdict
from studio.projects.requests import Busy
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, save
from tests.studio.endpoints.conftest import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def poster(run: Run) -> Artifact:
    """Two runs made a version each; nobody works any more."""
    save(run, "a b/poster.txt", b"one\n")
    save(follow_up(run), "a b/poster.txt", b"two\n")
    rest(run)
    return Artifact.objects.get()


def rest(run: Run, status: Status = Status.ENDED) -> None:
    run.project.runs.filter(number=2).update(status=status)


def first(artifact: Artifact) -> Version:
    return artifact.versions.get(number=1)


def test_an_older_version_comes_back_as_the_newest(
    poster: Artifact, alices_browser: Client
) -> None:
    answer = alices_browser.post(poster.restore_url, {"version": 1})

    assert answer["location"] == f"{poster.detail_url}?back=3"
    poster.refresh_from_db()
    back = poster.latest
    assert (back.number, back.digest, back.run) == (3, first(poster).digest, None)
    assert back.source == first(poster)
    assert Inspection.objects.filter(version=back).exists()
    page = alices_browser.get(answer["location"]).content.decode()
    assert "Version 1 is back as version 3." in page
    assert 'name="version" value="2"' in page  # what Undo brings back
    assert "Brought back from version 1" in page


def test_the_newest_version_is_not_made_once_more(poster: Artifact) -> None:
    assert restoring.restore(poster.versions.get(number=2)).number == 2
    assert poster.versions.count() == 2


@pytest.mark.parametrize(
    ("status", "words"), [(Status.QUEUED, "stop it"), (Status.PAUSED, "Let it go on or end it")]
)
def test_nothing_is_brought_back_under_a_request_that_has_not_ended(
    poster: Artifact, alices_browser: Client, status: Status, words: str
) -> None:
    poster.project.runs.filter(number=2).update(status=status)
    answer = alices_browser.post(poster.restore_url, {"version": 1})
    assert answer.status_code == 409
    assert words in answer.content.decode()
    assert poster.versions.count() == 2


@pytest.mark.parametrize("number", ["", "7", "-1", "1e9", "9" * 40, "²"])
def test_a_version_that_there_is_not_is_not_found(
    poster: Artifact, alices_browser: Client, number: str
) -> None:
    assert alices_browser.post(poster.restore_url, {"version": number}).status_code == 404
    if number:
        assert alices_browser.get(poster.compare_url, {"a": number}).status_code == 404


def test_a_removed_file_can_be_brought_back(poster: Artifact, alices_browser: Client) -> None:
    Artifact.objects.update(removed=True)
    project = poster.project.get_absolute_url()
    assert "Removed files" in alices_browser.get(project).content.decode()
    alices_browser.post(poster.restore_url, {"version": 2})
    poster.refresh_from_db()
    assert (poster.removed, poster.version_number) == (False, 3)
    assert "Removed files" not in alices_browser.get(project).content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_that_bring_a_version_back_at_once_get_numbers_of_their_own(poster: Artifact) -> None:
    refused: list[Exception] = []

    def bring_back() -> None:
        try:
            restoring.restore(first(poster))
        except Busy as busy:
            refused.append(busy)
        finally:
            connection.close()

    threads = [threading.Thread(target=bring_back) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = list(poster.versions.values_list("number", flat=True))
    assert numbers == [6, 5, 4, 3, 2, 1]
    assert refused == []


def test_the_next_runs_version_follows_the_one_brought_back(poster: Artifact, run: Run) -> None:
    restoring.restore(first(poster))
    third = Run.objects.create(project=run.project, number=3, prompt="In red")
    save(third, poster.path, b"three\n")
    poster.refresh_from_db()
    assert (poster.version_number, poster.latest.run) == (4, third)


def test_what_a_run_writes_after_its_owner_put_something_there_is_the_newest(
    poster: Artifact, run: Run
) -> None:
    third = Run.objects.create(project=run.project, number=3, prompt="In red")
    save(third, poster.path, b"three\n")
    packed = Blob(first(poster).digest, first(poster).size)
    owners, _ = keep_version(run.project_id, poster.path, packed, source=first(poster))
    save(third, poster.path, b"better\n")
    newest, before = poster.versions.all()[:2]
    poster.refresh_from_db()
    assert (newest, newest.run, newest.number) == (poster.latest, third, 5)
    assert (before, before.number) == (owners, 4)
    assert Inspection.objects.get(version=newest).state == State.WAITING


def test_the_comparison_points_to_both_versions_and_has_no_bytes_of_them(
    poster: Artifact, alices_browser: Client
) -> None:
    page = alices_browser.get(poster.compare_url).content.decode()
    newest = poster.latest
    assert newest is not None
    assert f"v={first(poster).digest}" in page.partition("data-b")[0]
    assert f"v={newest.digest}" in page.partition("data-b")[2]
    swapped = alices_browser.get(poster.compare_url, {"a": 2, "b": 1}).content.decode()
    assert f"v={newest.digest}" in swapped.partition("data-b")[0]
    assert "one\n" not in page
    assert "two\n" not in page


def test_one_version_alone_has_nothing_to_be_compared_with(
    run: Run, alices_browser: Client
) -> None:
    save(run, "map.txt", b"1")
    page = alices_browser.get(Artifact.objects.get().compare_url).content.decode()
    assert "only one version" in page


def test_fix_this_asks_for_what_was_found(poster: Artifact, alices_browser: Client) -> None:
    enter("models")
    found = [
        {"level": "warn", "code": "a", "text": "a little\nquiet", "values": {}},
        {"level": "fail", "code": "b", "text": "x" * 9000, "values": {}},
        {"level": "unknown", "code": "c", "text": "too slow", "values": {}},
    ]
    fields = {"state": State.DONE, "verdict": Verdict.FAILED, "findings": found}
    Inspection.objects.update_or_create(version=poster.latest, defaults=fields)
    fix = reverse("artifacts:fix", args=[poster.project_id, poster.path])

    answer = alices_browser.post(fix)
    assert answer["location"] == poster.project.get_absolute_url()
    asked = poster.project.runs.get(number=3).prompt
    assert asked.startswith("Please mend a b/poster.txt.")
    assert asked.index("- Xxx") < asked.index("- A little quiet")
    assert len(asked) < 2000
    assert "too slow" not in asked
    assert alices_browser.post(fix).status_code == 409


def test_nothing_is_asked_of_recipes_to_be_mended(poster: Artifact, alices_browser: Client) -> None:
    found = [{"level": "fail", "code": "b", "text": "x", "values": {}}]
    fields = {"state": State.DONE, "verdict": Verdict.FAILED, "findings": found}
    Inspection.objects.update_or_create(version=poster.latest, defaults=fields)
    answer = alices_browser.post(reverse("artifacts:fix", args=[poster.project_id, poster.path]))
    assert answer.status_code == 422
    page = alices_browser.get(poster.detail_url).content.decode()
    for words in (answer.content.decode(), page):
        assert "takes a language model" in words
    assert "Fix this" not in page
    assert poster.project.runs.count() == 2


def test_what_is_in_order_is_not_mended(poster: Artifact, alices_browser: Client) -> None:
    enter("models")
    fix = reverse("artifacts:fix", args=[poster.project_id, poster.path])
    answer = alices_browser.post(fix)
    assert answer.status_code == 422
    assert "nothing to mend" in answer.content.decode()
