"""What is stored and what the documentation shows."""

import json

import pytest

from benchmarks import report
from benchmarks.measure import Comparison, Count, at_least
from benchmarks.report import BLOCK, DOCUMENT, RESULTS, markdown, result, store

FAST = Comparison("B1", "a command", "a peer", "ms", [([1.0, 2.0], [80.0, 120.0])], at_least(100))
LEFT = Count("–", "left behind", 0, 0)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(report, "DOCUMENT", tmp_path / "performance.md")
    report.DOCUMENT.write_text("# Speed\n<!-- results -->\nold\n<!-- end of results -->\nWhy.\n")
    return report


def test_a_result_has_medians_p95_ratio_and_verdict():
    assert result(FAST) == {
        "name": "B1",
        "what": "a command",
        "against": "a peer",
        "unit": "ms",
        "samples": [2, 2],
        "ours": {"median": 1.5, "p95": 2.0},
        "theirs": {"median": 100.0, "p95": 120.0},
        "ratio": 100 / 1.5,
        "target": "≥ 100×",
        "met": False,
    }


def test_the_table_in_the_documentation_is_replaced_and_the_rest_kept(files):
    store({"cores": "2"}, "leaks", [result(LEFT)])
    store({"cores": "2"}, "shell", [result(FAST)])
    text = files.DOCUMENT.read_text()
    assert "Measured: cores 2." in text
    assert (
        "| B1 | a command | 1.5 ms | 2 | a peer | 100 ms | 120 | 66.7× | ≥ 100× | NO |\n"
        "| – | left behind | 0 |  |  |  |  |  | 0 | yes |\n"
    ) in text
    assert text.startswith("# Speed\n")
    assert text.endswith("Why.\n")
    assert "old" not in text


def test_measuring_one_group_keeps_what_is_stored_of_the_others(files):
    store({}, "shell", [result(FAST)])
    store({}, "leaks", [result(Count("–", "left", 3, 0))])
    store({}, "leaks", [result(LEFT)])
    groups = json.loads(files.RESULTS.read_text())["groups"]
    assert [row["met"] for rows in groups.values() for row in rows] == [False, True]


def test_the_documentation_shows_the_stored_results():
    shown = BLOCK.search(DOCUMENT.read_text(encoding="utf-8"))
    assert shown
    assert shown[0] == markdown(json.loads(RESULTS.read_text(encoding="utf-8")))


def test_groups_stand_in_the_order_of_their_numbers(files):
    for name in ("–", "B10", "B9", "B2"):
        store({}, name, [result(Count(name, "a thing", 0, 0))])
    assert list(json.loads(files.RESULTS.read_text())["groups"]) == ["B2", "B9", "B10", "–"]
