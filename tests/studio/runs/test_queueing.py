"""The wait that a queued run is told of, and when nothing is told."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from studio.accounts.models import User
from studio.projects.requests import begin_project
from studio.runs import claims, queueing
from studio.runs.models import Run, Status

NOW = timezone.now()


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def test_the_next_one_waits_for_the_first_worker_that_is_free() -> None:
    assert queueing.wait(1, [ago(10), ago(90)], [100] * 9, NOW) == 10


def test_who_is_further_behind_waits_for_those_before() -> None:
    begun = [ago(10), ago(90)]
    waits = [queueing.wait(place, begun, [100] * 9, NOW) for place in (1, 2, 3, 4)]
    assert waits == [10, 90, 110, 190]


def test_one_that_takes_long_takes_as_long_as_long_ones_do() -> None:
    durations = [10.0] * 20 + [600.0, 660.0, 720.0]
    assert queueing.wait(1, [ago(60)], durations, NOW) == 600


def test_of_one_that_takes_longer_than_any_nothing_is_expected_but_its_end() -> None:
    assert queueing.wait(1, [ago(5000)], [100] * 9, NOW) == 0


@pytest.mark.parametrize(("begun", "durations"), [([], [100.0] * 9), ([ago(1)], [100.0] * 4)])
def test_where_too_little_is_known_nothing_is_said(begun, durations) -> None:
    assert queueing.wait(1, begun, durations, NOW) is None


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (20, "less than a minute", "不到一分钟"),
        (185, "about 3 min", "大约 3 分钟"),
        (5399, "about 1 hour", "大约 1 小时"),
        (9000, "about 2 hours", "大约 2 小时"),
    ],
)
def test_it_is_said_as_people_say_it(seconds, english, chinese) -> None:
    with override("en"):
        assert queueing.roughly(seconds) == english
    with override("zh-hans"):
        assert queueing.roughly(seconds) == chinese


@pytest.mark.django_db
def test_the_page_is_told_how_long_it_will_take(alice: User, alices_browser: Client) -> None:
    runs = [begin_project(alice, f"{number}", []) for number in range(8)]
    for run in runs[:6]:
        Run.objects.filter(pk=run.pk).update(
            status=Status.ENDED, started=ago(600), ended=ago(300), created=ago(900)
        )
    waiting = runs[7]
    told = alices_browser.get(waiting.events_url).json()["run"]
    assert (told["queue_position"], told["wait"]) == (2, "")
    claims.claim(runs[6].pk)
    told = alices_browser.get(waiting.events_url).json()["run"]
    assert (told["queue_position"], told["wait"]) == (1, "about 5 min")
