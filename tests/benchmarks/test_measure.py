"""What is judged: ratios of medians, round by round."""

import pytest

from benchmarks.measure import Comparison, Count, at_least, at_most, in_turn, p95


def comparison(rounds, target):
    return Comparison("B0", "a thing", "a peer", "ms", rounds, target)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [([7.0], 7.0), (range(1, 21), 19), (range(1, 101), 95), ([3, 1, 2], 3)],
)
def test_p95_is_the_smallest_sample_that_95_percent_do_not_exceed(samples, expected):
    assert p95(list(samples)) == expected


def test_at_least_asks_how_many_times_better_ours_is():
    faster = comparison([([2.0, 1.0, 9.0], [100.0])], at_least(50))
    assert (faster.ratio, faster.met) == (50, True)
    assert not comparison([([2.0], [99.0])], at_least(50)).met
    assert str(faster.target) == "≥ 50×"


def test_at_most_asks_what_part_of_the_peers_ours_takes():
    smaller = comparison([([10.0], [40.0])], at_most(0.25))
    assert (smaller.ratio, smaller.met) == (0.25, True)
    assert not comparison([([10.1], [40.0])], at_most(0.25)).met
    assert str(at_most(1 / 6)) == "≤ 0.167×"


def test_a_round_on_a_busy_machine_does_not_change_the_ratio():
    quiet, busy, interrupted = ([1.0], [10.0]), ([8.0], [80.0]), ([1.0], [500.0])
    assert comparison([quiet, busy, interrupted], at_least(10)).ratio == 10


def test_both_sides_are_asked_in_turn_and_the_first_round_does_not_count():
    asked = []

    def side(name):
        def sample():
            asked.append(name)
            return [float(len(asked))]

        return sample

    rounds = in_turn(side("ours"), side("theirs"), rounds=2)
    assert asked == ["ours", "theirs"] * 3
    assert rounds == [([3.0], [4.0]), ([5.0], [6.0])]


def test_a_count_must_be_exact():
    assert Count("B0", "left behind", 0, 0).met
    assert not Count("B0", "left behind", 1, 0).met
    assert not Count("B0", "answering", 255, 256).met
