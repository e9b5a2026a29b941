"""The page on which a finished run is watched once more."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, save

pytestmark = pytest.mark.django_db


def ended(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status=Status.ENDED, reason="submitted")


def test_files_are_those_of_this_run_as_it_left_them(run: Run, alices_browser: Client) -> None:
    first = save(run, "poster.html", b"<h1>One</h1>")
    save(run, "notes.txt", b"one")
    later = follow_up(run)
    second = save(later, "poster.html", b"<h1>Two</h1>")
    save(later, "new.txt", b"new")
    ended(later)
    page = alices_browser.get(run.replay_url).content.decode()
    assert f"poster.html?v={first}" in page
    assert "notes.txt" in page
    assert second not in page
    assert "new.txt" not in page
    assert run.events_url in page
    assert "A poster for the summer party" in page


def test_one_that_goes_on_is_watched_on_its_own_page(run: Run, alices_browser: Client) -> None:
    answer = alices_browser.get(run.replay_url)
    assert answer["location"] == run.project.get_absolute_url()


def test_there_is_none_of_a_run_that_there_is_not(run: Run, alices_browser: Client) -> None:
    url = reverse("runs:replay", args=[run.project_id, 10**30])
    assert alices_browser.get(url).status_code == 404
