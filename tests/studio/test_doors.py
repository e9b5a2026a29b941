"""Who has something open is put out when they may not look any more, though nobody tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest
from django.db import DatabaseError

from studio import doors
from studio.doors import Door, watched

# Nothing here asks a database; but connections that others left open are closed on the way.
pytestmark = pytest.mark.django_db


class Register:
    """Scripted rights: those that are good, and each question that was asked."""

    def __init__(self, *good: str) -> None:
        self.good = set(good)
        self.asked: list[set[str]] = []
        self.failures: list[Exception] = []

    def still_good(self, keys: Collection[str]) -> set[str]:
        self.asked.append(set(keys))
        if self.failures:
            raise self.failures.pop()
        return self.good & set(keys)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "LOOK_SECONDS", 0.01)


async def until_asked(register: Register, times: int = 1) -> None:
    count = len(register.asked) + times
    async with asyncio.timeout(10):
        while len(register.asked) < count:
            await asyncio.sleep(0)


async def test_only_what_is_no_longer_good_is_shut() -> None:
    register, shut = Register("alice", "bob"), asyncio.Queue[str]()
    doors = {
        Door(register.still_good, name): lambda name=name: shut.put_nowait(name)
        for name in ("alice", "bob")
    }
    with watched(doors):
        await until_asked(register)
        assert shut.empty()
        register.good.remove("bob")
        assert await asyncio.wait_for(shut.get(), 10) == "bob"
        await until_asked(register, 2)
        while not shut.empty():
            assert shut.get_nowait() == "bob"


async def test_of_each_kind_all_are_asked_for_together() -> None:
    one, other, ignore = Register("a", "b"), Register("c"), asyncio.Event().set
    doors = [Door(one.still_good, "a"), Door(one.still_good, "b"), Door(other.still_good, "c")]
    with watched(dict.fromkeys(doors, ignore)), watched({doors[0]: ignore}):
        await until_asked(other)
    assert one.asked[0] == {"a", "b"}
    assert len(one.asked) - len(other.asked) in (0, 1)


async def test_everybody_who_is_behind_the_same_door_is_put_out() -> None:
    register, first, second = Register(), asyncio.Event(), asyncio.Event()
    door = Door(register.still_good, "bob")
    with watched({door: first.set}), watched({door: second.set}):
        await asyncio.wait_for(first.wait(), 10)
        await asyncio.wait_for(second.wait(), 10)


async def test_nobody_asks_for_what_is_open_no_longer() -> None:
    register, ignore = Register("alice", "bob"), asyncio.Event().set
    with watched({Door(register.still_good, "alice"): ignore}):
        with watched({Door(register.still_good, "bob"): ignore}):
            await until_asked(register)
        await until_asked(register, 2)
        assert register.asked[-1] == {"alice"}
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.wait_for(asyncio.gather(*others), 10)
    asked = len(register.asked)
    with watched({Door(register.still_good, "alice"): ignore}):
        await until_asked(register)
    assert len(register.asked) > asked


@pytest.mark.parametrize("failure", [DatabaseError, RuntimeError])
async def test_a_database_that_is_away_for_a_moment_puts_nobody_out(
    failure: type[Exception],
) -> None:
    register, shut = Register("alice"), asyncio.Event()
    register.failures = [failure("The database is away.")] * 2
    with watched({Door(register.still_good, "alice"): shut.set}):
        await until_asked(register, 3)
        assert not shut.is_set()
        register.good.clear()
        await asyncio.wait_for(shut.wait(), 10)
