"""How results are made: one at a time, behind everybody, until each is there once."""

from __future__ import annotations

import dataclasses

import pytest
from celery.signals import worker_ready
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agent import RecipeModel
from agent.events import Reason
from studio.accounts import house
from studio.accounts.models import SignInLink, User
from studio.celery import app
from studio.endpoints import choices
from studio.operations import status
from studio.projects.access import projects_of
from studio.projects.models import Project
from studio.projects.requests import begin_project
from studio.runs import claims, worker
from studio.runs.models import Run
from studio.starting import making
from studio.starting.catalogue import points
from studio.starting.models import Result
from tests.studio.conftest import signed_in
from tests.studio.runs.test_sandboxes import Consumer
from tests.studio.starting.conftest import end, piano

pytestmark = pytest.mark.django_db


def begun() -> Result:
    """The result that one step begins."""
    point = making.step()
    assert point
    return Result.objects.get(point=point.key)


def test_one_is_made_after_the_other_each_kind_first() -> None:
    first = begun()
    assert making.step() is None
    end(first, "a.html")
    second = begun()
    keys = [each.key for each in making.missing()]
    assert {first.point, second.point}.isdisjoint(keys)
    kinds = [each.kind for each in points() if each.key in {first.point, second.point}]
    assert len(set(kinds)) == 2


def test_when_all_are_there_nothing_is_begun(made) -> None:
    for point in points():
        made(point, "a.html")
    assert making.step() is None
    assert Run.objects.count() == Result.objects.good().count() == len(points())


def test_it_waits_until_nobody_has_asked_for_anything(alice: User) -> None:
    run = begin_project(alice, "A poster", [])
    assert making.step() is None
    claims.claim(run.pk)
    assert making.step() is None
    Run.objects.filter(pk=run.pk).update(status="ended")
    assert making.step()


def test_it_gives_way_to_who_waits_and_is_made_later(alice: User) -> None:
    first = begun()
    claims.claim(first.project.runs.get().pk)
    waiting = begin_project(alice, "A poster", [])
    assert making.step() is None
    assert first.project.runs.get().stop_requested
    assert not Run.objects.get(pk=waiting.pk).stop_requested
    # Its worker ends it, and serves who waited.
    first.project.runs.update(status="ended", reason=Reason.STOPPED)
    Run.objects.filter(pk=waiting.pk).update(status="ended", reason=Reason.SUBMITTED)
    again = begun()
    assert (again.point, again.pk) == (first.point, Result.objects.get().pk)
    assert not Project.objects.filter(pk=first.project_id).exists()


def test_one_that_failed_is_tried_again_when_a_worker_begins_and_not_before(settings) -> None:
    failed = begun()
    end(failed, reason=Reason.SANDBOX_UNAVAILABLE)
    done = begun()
    assert done.point != failed.point
    end(done, "a.html")
    settings.STARTING_POINTS = True
    worker_ready.send(sender=Consumer(app=app))
    assert failed.point in {each.key for each in making.missing()}
    assert Result.objects.get() == done


def test_an_answer_without_files_is_a_failure(made) -> None:
    made(piano())
    assert not Result.objects.good().exists()
    making.forget_failures()
    assert not Project.objects.exists()


def test_where_it_is_switched_off_a_worker_leaves_it_alone() -> None:
    end(begun(), reason=Reason.CRASHED)
    worker_ready.send(sender=Consumer(app=app))
    assert Result.objects.count() == 1


def test_a_point_that_asks_for_something_else_is_made_again(made, monkeypatch) -> None:
    old = made(piano(), "a.wav")
    other = dataclasses.replace(piano(), request=piano().request + ", slowly")
    now = tuple(other if each.key == other.key else each for each in points())
    monkeypatch.setattr(making, "points", lambda: now)
    assert other in making.missing()
    making.step()
    assert not Project.objects.filter(pk=old.project_id).exists()


def test_two_that_begin_the_same_one_make_it_once() -> None:
    assert making.begin(piano())
    assert not making.begin(piano())
    assert Project.objects.count() == Run.objects.count() == 1


def test_recipes_make_it_whatever_model_is_connected(monkeypatch) -> None:
    monkeypatch.setattr(choices, "listed", lambda: [choices.Choice("home/model", "A model")])
    run = begun().project.runs.get()
    assert isinstance(worker.model(run), RecipeModel)
    assert choices.RECIPES not in [choice.value for choice in choices.offered("")]


def test_a_point_that_needs_data_gets_its_example() -> None:
    report = next(each for each in points() if each.table)
    making.begin(report)
    run = Result.objects.get().project.runs.get()
    (table,) = worker.inputs(run)
    assert table.name == report.table
    assert b"".join(table.chunks()) == report.read_table()


def test_the_command_says_how_many_there_are(made, capsys) -> None:
    for point in points():
        made(point, "a.html")
    call_command("make_starting_points")
    assert f"{len(points())} of {len(points())}" in capsys.readouterr().out


def test_nobody_can_be_or_enter_the_house() -> None:
    user = house.house()
    assert (user.is_active, user.has_usable_password()) == (False, False)
    assert Client().get(f"/enter/{SignInLink.objects.issue(user)}/").status_code == 410
    with pytest.raises(ValidationError, match="valid username"):
        User(username=house.NAME, password="x").full_clean()


def test_the_house_is_nobody_to_operators_and_its_projects_are_in_no_list(
    made, alice: User, alices_browser: Client
) -> None:
    result = made(piano(), "a.wav")
    assert house.house() not in status.users()
    boss = signed_in(User.objects.create_superuser("boss"))
    assert f">{house.NAME}<" not in boss.get("/admin/accounts/user/").content.decode()
    assert not projects_of(alice).exists()
    for path in ("/projects/", "/library/", "/explore/"):
        page = alices_browser.get(path).content.decode()
        assert result.project_id not in page
        assert piano().title not in page
    path = reverse("projects:detail", args=[result.project_id])
    assert alices_browser.get(path).status_code == 404
    assert boss.get(path).status_code == 404
