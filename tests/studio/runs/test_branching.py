"""A request that goes on from an earlier one: its files, its past, and what follows it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from agent.testing import bash, submit
from studio.projects.requests import begin_run
from studio.runs import branching, worker
from studio.runs.history import history
from studio.runs.models import Run
from tests.studio.endpoints.conftest import enter
from tests.studio.runs.test_worker import ended

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carried_out(script):
    """Carries out a request whose model runs this command."""

    def carry_out(run: Run, command: str) -> str:
        """What the command printed."""
        model = script([bash(command), submit(f"Request {run.number}.")])
        worker.execute(run.pk)
        assert ended(run)[0] == "submitted"
        return model.asked[1][-1].text

    return carry_out


@pytest.fixture
def first(run: Run, carried_out) -> Run:
    """Of three requests: one file, another one beside it, and the first one written anew."""
    carried_out(run, "echo one > output/a.txt; echo mine > scratch.txt")
    carried_out(begin_run(run.project, "Another one"), "echo other > output/b.txt")
    carried_out(
        begin_run(run.project, "The first in red"), "echo red > output/a.txt; rm output/b.txt"
    )
    return run


def shown(run: Run) -> dict[str, str]:
    artifacts = run.project.artifacts.shown()
    return {artifact.path: f"v{artifact.version_number}" for artifact in artifacts}


def test_its_files_are_those_of_then_and_its_past_ends_there(first: Run, carried_out) -> None:
    assert shown(first) == {"a.txt": "v2"}
    branch = begin_run(first.project, "In green", base=first)
    assert shown(first) == {"a.txt": "v3"}
    assert carried_out(branch, "cat output/a.txt; echo green > output/a.txt") == "one"
    assert [past.prompt for past in history(branch)] == ["A poster for the summer party"]
    assert shown(first) == {"a.txt": "v4"}


def test_what_came_after_is_kept_among_the_versions(first: Run) -> None:
    begin_run(first.project, "In green", base=first)
    [artifact] = first.project.artifacts.shown()
    assert artifact.latest.source.number == 1
    assert artifact.versions.count() == 3
    assert first.project.artifacts.get(path="b.txt").removed


def test_a_file_that_was_removed_since_is_there_again(first: Run) -> None:
    second = first.project.runs.get(number=2)
    begin_run(first.project, "In green", base=second)
    assert shown(first) == {"a.txt": "v3", "b.txt": "v1"}


def test_one_that_was_removed_then_stays_away(first: Run, carried_out) -> None:
    third = first.project.runs.get(number=3)
    carried_out(begin_run(first.project, "Another one"), "echo new > output/c.txt")
    begin_run(first.project, "In green", base=third)
    assert shown(first) == {"a.txt": "v2"}


def test_what_follows_goes_on_from_the_branch(first: Run, carried_out) -> None:
    branch = begin_run(first.project, "In green", base=first)
    carried_out(branch, "echo green > output/a.txt; echo kept > scratch.txt")
    later = begin_run(first.project, "Bigger")
    assert carried_out(later, "cat scratch.txt; cat output/a.txt") == "kept\ngreen"
    assert [run.number for run in branching.lineage(later)] == [1, 4]


def test_a_branch_of_a_branch_knows_its_line(first: Run, carried_out) -> None:
    branch = begin_run(first.project, "In green", base=first)
    carried_out(branch, "echo green > output/a.txt")
    carried_out(begin_run(first.project, "Bigger"), "echo big > output/a.txt")
    again = begin_run(first.project, "Smaller", base=branch)
    assert [run.number for run in branching.lineage(again)] == [1, 4]
    assert carried_out(again, "cat output/a.txt") == "green"


def test_the_page_asks_for_it_by_number(first: Run, alices_browser: Client) -> None:
    url = reverse("runs:create", args=[first.project_id])
    page = alices_browser.get(first.project.get_absolute_url()).content.decode()
    assert 'data-branch="1"' in page
    assert 'data-branch="3"' not in page
    assert alices_browser.post(url, {"prompt": "In green", "base": "1"}).status_code == 302
    branch = first.project.runs.get(number=4)
    assert branch.base == first
    page = alices_browser.get(first.project.get_absolute_url()).content.decode()
    assert "Goes on from request 1" in page


@pytest.mark.parametrize("base", ["9", "x", "-1", "1" * 400])
def test_there_is_no_going_on_from_what_there_is_not(
    first: Run, alices_browser: Client, base: str
) -> None:
    url = reverse("runs:create", args=[first.project_id])
    assert alices_browser.post(url, {"prompt": "In green", "base": base}).status_code == 422
    assert first.project.runs.count() == 3


def test_the_last_request_is_simply_followed(first: Run, alices_browser: Client) -> None:
    url = reverse("runs:create", args=[first.project_id])
    alices_browser.post(url, {"prompt": "In green", "base": "3"})
    assert first.project.runs.get(number=4).base is None


def test_one_is_tried_again_with_another_model(first: Run, alices_browser: Client) -> None:
    enter("other", name="small")
    enter("more", name="big")
    last = first.project.runs.get(number=3)
    page = alices_browser.get(first.project.get_absolute_url()).content.decode()
    assert page.count('name="model"') == 2
    retry = reverse("runs:retry", args=[last.pk])
    assert alices_browser.post(retry, {"model": "nobody/none"}).status_code == 422
    assert alices_browser.post(retry, {"model": "more/big"}).status_code == 302
    again = first.project.runs.get(number=4)
    first.project.refresh_from_db()
    assert (again.prompt, first.project.model) == (last.prompt, "more/big")
