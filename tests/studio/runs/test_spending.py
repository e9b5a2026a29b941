"""What a user may spend in a day: counted for all processes, and final until the next day."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.translation import override

from agent.events import ContextCompacted, ModelSpoke, Reason, RunPaused, Usage
from agent.models import Reply
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox, bash, submit
from studio.accounts.models import User
from studio.projects.models import Member, Project, Role
from studio.projects.requests import DayUsedUp, begin_project, begin_run
from studio.runs import claims, feed, journal, spending, worker
from studio.runs.models import Run, Spending, Status
from tests.studio.conftest import kinds, signed_in
from tests.studio.runs.test_pausing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def spoke(input: int = 0, output: int = 0, cost: float = 0.0) -> ModelSpoke:
    return ModelSpoke(turn=1, usage=Usage(input, output, 0, cost))


def spend(run: Run, *facts: ModelSpoke | ContextCompacted) -> uuid.UUID:
    token = claims.claim(run.pk)
    assert token is not None
    for fact in facts:
        journal.append(run.pk, fact, claim=token)
    return token


def tomorrow(monkeypatch: pytest.MonkeyPatch) -> None:
    day = spending.today() + timedelta(days=1)
    monkeypatch.setattr(spending, "today", lambda: day)


def test_all_that_a_users_runs_take_is_counted_once(alice: User, charlie: User) -> None:
    runs = [begin_project(alice, "A map", []) for _ in range(4)]
    at_once(*[lambda run=run: spend(run, *[spoke(100, 10, 0.25)] * 5) for run in runs])
    spent = Spending.objects.get()
    assert (spent.user, spent.tokens, spent.cost) == (alice, 4 * 5 * 110, 5.0)
    assert not spending.refusal(charlie.pk)


def test_making_room_costs_too(run: Run) -> None:
    usage = Usage(900, 100, 0, 0.5)
    compacted = ContextCompacted(masked=1, tokens_before=9, tokens_after=1, usage=usage)
    spend(run, compacted)
    run.refresh_from_db()
    assert (run.tokens_in, run.cost) == (900, 0.5)
    assert Spending.objects.get().tokens == 1000


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"DAY_TOKENS": 1100}, "You have used 1,100 tokens today; a day allows 1,100 tokens."),
        ({"DAY_COST": 0.5}, "You have used $0.50 today; a day allows $0.50."),
    ],
)
def test_who_has_used_up_the_day_is_refused_until_the_next(
    alices_browser: Client, run: Run, settings, monkeypatch, limits: dict, told: str
) -> None:
    for name, value in limits.items():
        setattr(settings, name, value)
    spend(run, spoke(1000, 99, 0.49))
    assert not spending.refusal(run.project.owner_id)
    journal.append(run.pk, spoke(1, 0, 0.01), claim=Run.objects.get().claim)
    answer = alices_browser.post("/projects/new/", {"prompt": "A map"})
    assert answer.status_code == 429
    assert told in answer.content.decode()
    assert Project.objects.count() == 1
    tomorrow(monkeypatch)
    assert alices_browser.post("/projects/new/", {"prompt": "A map"}).status_code == 302


def test_who_was_let_in_is_told_whose_day_is_used_up(run: Run, charlie: User, settings) -> None:
    settings.DAY_TOKENS = 100
    spend(run, spoke(1000))
    Member.objects.create(project=run.project, user=charlie, role=Role.EDITOR)
    answer = signed_in(charlie).post(f"/projects/{run.project_id}/runs/", {"prompt": "More"})
    assert answer.status_code == 429
    told = answer.content.decode()
    assert "What the owner of this project may spend in a day is used up" in told
    assert "1,000" not in told


def test_nobody_is_exempt(alice: User, run: Run, settings) -> None:
    settings.DAY_TOKENS = 1
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    spend(run, spoke(1))
    with pytest.raises(DayUsedUp):
        begin_run(run.project, "More")


def test_a_run_pauses_after_the_commands_of_the_turn_that_used_up_the_day(
    run: Run, script, settings
) -> None:
    settings.DAY_TOKENS = 50
    calls = (
        *bash("sleep 1; echo 1 > output/1.txt").calls,
        *bash("sleep 1; echo 2 > output/2.txt").calls,
    )
    model = script([Reply(calls=calls, usage=Usage(50, 1)), submit("Too late.")])
    worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.PAUSED, "day_limit")
    assert kinds(run).count("tool.finished") == 2
    assert run.project.artifacts.shown().count() == 2
    assert len(model.asked) == 1
    assert "day is used up" in run.message


def test_a_result_that_is_handed_in_is_taken_whatever_it_cost(run: Run, script, settings) -> None:
    settings.DAY_COST = 0.01
    script([Reply(calls=submit("Here.").calls, usage=Usage(9, 9, 0, 1.0))])
    worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.ENDED, "submitted")


def test_a_run_that_waited_while_others_used_up_the_day_asks_no_model(
    alice: User, run: Run, script, settings
) -> None:
    settings.DAY_TOKENS = 10
    waiting = begin_project(alice, "Another", [])
    spend(run, spoke(10))
    model = script([submit("Too late.")])
    worker.execute(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.reason, model.asked) == (Status.PAUSED, "day_limit", [])


def test_going_on_is_refused_until_the_next_day(
    run: Run, alices_browser: Client, settings, monkeypatch
) -> None:
    settings.DAY_TOKENS = 10
    token = spend(run, spoke(12))
    journal.append(run.pk, RunPaused(reason=Reason.DAY_LIMIT, message=""), claim=token)
    run.refresh_from_db()
    asked = feed.pause(run)
    assert asked is not None
    assert "A new day begins in" in asked["allowance"]
    with override("zh-hans"):
        assert "你今天已用 12 个 token，每天最多 10 个 token。" in feed.pause(run)["allowance"]
    assert alices_browser.post(f"/runs/{run.pk}/go-on/").status_code == 429
    run.refresh_from_db()
    assert run.status == Status.PAUSED
    tomorrow(monkeypatch)
    assert "Going on allows" in feed.pause(run)["allowance"]
    assert alices_browser.post(f"/runs/{run.pk}/go-on/").status_code == 204


def test_stop_in_the_turn_that_used_up_the_day_is_a_stop(run: Run, script, settings) -> None:
    settings.DAY_TOKENS = 10

    class Stopped(MemorySandbox):
        def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
            Run.objects.filter(pk=run.pk).update(stop_requested=True)
            yield Exited(0)

    script([Reply(calls=bash("true").calls, usage=Usage(50, 1))], Stopped())
    worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.ENDED, "stopped")
