"""Runs leave nothing behind, on the engine or in the process that made them."""

import pytest

from benchmarks import boxes
from benchmarks.engine import belongings, left_since
from benchmarks.leaks import left_by

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_runs_leave_nothing_behind():
    assert left_by(20) == []


def test_a_container_that_stays_is_found(monkeypatch):
    monkeypatch.setattr("benchmarks.engine.SETTLE_SECONDS", 0.0)
    before = belongings()
    with boxes.new() as box:
        assert left_since(before) == {f"container /{box.name}"}
