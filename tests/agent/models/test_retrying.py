"""When an endpoint is asked again, after how long, and how often."""

import email.utils
import itertools
import time

import pytest

from agent import ModelUnavailable
from agent.hints import Waiting
from agent.models import Delta, Reply
from agent.models.retrying import Patience, Trouble, patiently, retry_after

ANSWER = Reply("there")


@pytest.fixture
def clock(monkeypatch):
    """A clock that only sleeping moves; by chance one waits the longest."""
    now = [1000.0]

    class Clock:
        monotonic = staticmethod(lambda: now[0])

        @staticmethod
        def sleep(seconds):
            now[0] += seconds

    monkeypatch.setattr("agent.models.retrying.time", Clock)
    monkeypatch.setattr("agent.models.retrying.random.uniform", lambda low, high: high)
    return now


def asking(*outcomes):
    """Ask someone who fails like this, and what they said before."""
    waiting = iter(outcomes)

    def ask():
        yield Delta("Well")
        if isinstance(outcome := next(waiting), Exception):
            raise outcome
        yield outcome

    return ask


def waits(items):
    """How long each wait was at its beginning."""
    items = list(items)
    return [
        round(item.seconds, 1)
        for before, item in zip([None, *items], items, strict=False)
        if isinstance(item, Waiting) and not isinstance(before, Waiting)
    ]


def busy(after=None):
    return Trouble("busy", "It is busy.", after=after)


def test_each_wait_may_be_twice_as_long_as_the_last(clock):
    items = list(patiently(asking(*[busy()] * 5, ANSWER), Patience()))

    assert items[-1] == ANSWER
    assert waits(items) == [1, 2, 4, 8, 16]


def test_waits_are_of_different_length_by_chance(monkeypatch):
    chosen = []
    monkeypatch.setattr(
        "agent.models.retrying.random.uniform", lambda low, high: chosen.append((low, high)) or 0
    )
    list(patiently(asking(busy(), busy(), busy(7), ANSWER), Patience()))
    assert chosen == [(0, 1), (0, 2), (1, 1.1)]


def test_an_endpoint_is_left_alone_for_as_long_as_it_asks_to_be(clock):
    assert waits(patiently(asking(busy(30), busy(0.2), ANSWER), Patience())) == [33, 0.2]


def test_a_wait_is_counted_down_at_least_twice_a_second(clock):
    items = list(patiently(asking(busy(3), ANSWER), Patience()))
    counted = [item.seconds for item in items if isinstance(item, Waiting)]

    assert counted[0] == pytest.approx(3.3)
    assert all(0 < before - after <= 0.5 for before, after in itertools.pairwise(counted))
    assert counted[-1] < 0.5


@pytest.mark.parametrize(
    ("trouble", "asked"),
    [
        (busy(), 8),
        (Trouble("error", "It is ill."), 8),
        (Trouble("connection", "It is away."), 6),
        (Trouble("connection", "It broke off.", broken=True), 3),
        (busy(301), 1),
        (busy(100), 3),
    ],
)
def test_patience_ends_with_what_was_said_last(clock, trouble, asked):
    times = []

    def ask():
        times.append(clock[0])
        yield from asking(trouble)()

    with pytest.raises(ModelUnavailable, match=str(trouble)) as end:
        list(patiently(ask, Patience()))
    assert end.value.__suppress_context__
    assert len(times) == asked
    assert times[-1] - times[0] <= Patience().again


def test_a_broken_answer_is_asked_for_again_at_once_and_then_with_a_pause(clock):
    broken = Trouble("connection", "x", broken=True)
    assert waits(patiently(asking(broken, ANSWER), Patience())) == []
    begun = Trouble("connection", "x", broken=True, begun=True)
    assert waits(patiently(asking(begun, ANSWER), Patience())) == [0]
    assert waits(patiently(asking(broken, broken, ANSWER), Patience())) == [2]


def test_what_is_final_is_not_asked_again(clock):
    with pytest.raises(ModelUnavailable, match="no key"):
        list(patiently(asking(ModelUnavailable("no key"), ANSWER), Patience()))


def test_a_wait_that_nobody_wants_any_more_ends():
    items = patiently(asking(busy(60), ANSWER), Patience())
    next(items), next(items)
    began = time.monotonic()
    items.close()
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "5"}, 5),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 21 Oct 99999 07:28:00 GMT"}, None),
        ({"x-ratelimit-reset-requests": "5s"}, None),
        ({}, None),
    ],
)
def test_every_form_of_retry_after_is_understood(headers, seconds):
    assert retry_after(headers) == seconds


def test_a_date_to_come_back_at_is_understood():
    date = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert 55 < retry_after({"retry-after": date}) <= 60
