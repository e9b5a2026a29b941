"""What the reaper may take, from the engine's list alone."""

import pytest

from agent.sandbox.orphans import STARTING_SECONDS, WAITING_SECONDS, Listed, orphans, seconds
from agent.sandbox.pool import LOOK_SECONDS, OLDEST_SECONDS

NOW = 1_000_000.0


def container(run, age=0.0, *, running=True, sandbox="box"):
    return Listed(f"{sandbox} {run}", sandbox, run, NOW - age, running)


@pytest.mark.parametrize(
    ("item", "in_use", "needed"),
    [
        (container("run"), {"run"}, True),
        (container("run", 10 * WAITING_SECONDS), {"run"}, True),
        (container("run"), {"other"}, False),
        (container("", 10 * WAITING_SECONDS), {"box"}, True),
        (container("", WAITING_SECONDS - 1), set(), True),
        (container("", WAITING_SECONDS + 1), set(), False),
        (container("", STARTING_SECONDS - 1, running=False), set(), True),
        (container("", STARTING_SECONDS + 1, running=False), set(), False),
        (container(None), {"run"}, False),
    ],
)
def test_a_container_is_needed_by_its_run_or_while_it_may_wait_for_one(item, in_use, needed):
    assert orphans([item], [], in_use, NOW) == ([] if needed else [item], [])


def test_a_network_stays_as_long_as_a_container_of_its_sandbox():
    old = 10 * STARTING_SECONDS
    networks = [container("", old, running=False, sandbox=name) for name in ("box", "gone")]
    assert orphans([container("")], networks, set(), NOW) == ([], networks[1:])


def test_a_container_that_a_pool_still_gives_away_is_not_taken_for_lost_for_long_after():
    assert OLDEST_SECONDS + LOOK_SECONDS < WAITING_SECONDS / 1.5


@pytest.mark.parametrize(
    ("told", "moment"),
    [
        ("1970-01-01T00:01:00.123456789Z", 60.0),
        ("1970-01-01T00:01:00Z", 60.0),
        ("1970-01-01T02:01:00.5+02:00", 60.0),
    ],
)
def test_the_engines_times_are_read_with_and_without_fractions_and_zones(told, moment):
    assert seconds(told) == moment
