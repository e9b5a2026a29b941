"""The time a file takes to the page, from what the page is told."""

import time

import pytest

from benchmarks.arrival import QUIET, arrivals
from benchmarks.peers.writer import FILES


def test_each_file_counts_from_the_end_of_its_rest_to_its_message(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 100.0)
    names = [f"{n}.dat" for n in range(FILES)]
    saved = [{"kind": "artifact.saved", "data": {"path": name}} for name in names]
    printed = "".join(f"{name} {100 - QUIET - n / 1000}\n" for n, name in enumerate(names))
    halves = [
        {"kind": "tool.printed", "data": {"text": text}} for text in (printed[:7], printed[7:])
    ]
    messages = [{"hint": {}}, {"events": saved}, {"events": halves}, {"run": {}, "events": []}]
    assert arrivals(iter(messages)) == pytest.approx([float(n) for n in range(FILES)], abs=1e-3)
