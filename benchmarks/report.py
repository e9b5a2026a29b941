"""Where results go: a table to read, `results.json`, and the table in docs/performance.md."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.measure import Comparison, Measure, p95

HERE = Path(__file__).parent
RESULTS, DOCUMENT = HERE / "results.json", HERE.parent / "docs" / "performance.md"
COLUMNS = ("", "what", "ours", "p95", "peer", "theirs", "p95", "ratio", "target", "met")
BLOCK = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- end of results -->)", re.DOTALL)

Result = Mapping[str, Any]


def result(measure: Measure) -> Result:
    """A measure as it is stored: values in the measure's unit."""
    if not isinstance(measure, Comparison):
        return {
            "name": measure.name,
            "what": measure.what,
            "found": measure.found,
            "wanted": measure.wanted,
            "met": measure.met,
        }
    return {
        "name": measure.name,
        "what": measure.what,
        "against": measure.against,
        "unit": measure.unit,
        "samples": [len(measure.ours), len(measure.theirs)],
        "ours": {"median": statistics.median(measure.ours), "p95": p95(measure.ours)},
        "theirs": {"median": statistics.median(measure.theirs), "p95": p95(measure.theirs)},
        "ratio": measure.ratio,
        "target": str(measure.target),
        "met": measure.met,
    }


def cells(row: Result) -> tuple[str, ...]:
    """A result as the cells of a table's line."""
    met = "yes" if row["met"] else "NO"
    if "against" not in row:
        wanted = str(row["wanted"])
        return (row["name"], row["what"], str(row["found"]), "", "", "", "", "", wanted, met)
    ours, theirs, unit = row["ours"], row["theirs"], row["unit"]
    return (
        row["name"],
        row["what"],
        f"{_number(ours['median'])} {unit}",
        _number(ours["p95"]),
        row["against"],
        f"{_number(theirs['median'])} {unit}",
        _number(theirs["p95"]),
        f"{_number(row['ratio'])}×",
        row["target"],
        met,
    )


def table(rows: Iterable[Result]) -> Table:
    """For a terminal."""
    drawn = Table(*COLUMNS)
    for row in rows:
        drawn.add_row(*cells(row), style="" if row["met"] else "bold red")
    return drawn


def markdown(stored: Mapping[str, Any]) -> str:
    """For the documentation: the machine in a line, and the table."""
    machine = ", ".join(f"{name} {value}" for name, value in stored["machine"].items())
    lines = [COLUMNS, ("---",) * len(COLUMNS)]
    lines += [cells(row) for rows in stored["groups"].values() for row in rows]
    return "\n".join([f"Measured: {machine}.", "", *(f"| {' | '.join(c)} |" for c in lines), ""])


def store(machine: Mapping[str, str], name: str, group: list[Result]) -> None:
    """Put a group's results in the place of those stored of it."""
    stored = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"groups": {}}
    groups = sorted((stored["groups"] | {name: group}).items(), key=_number_of)
    stored = {"machine": machine, "groups": dict(groups)}
    RESULTS.write_text(json.dumps(stored, indent=2) + "\n")
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(BLOCK.sub(lambda _: markdown(stored), text))


def _number_of(group: tuple[str, list[Result]]) -> float:
    """A group's place in the table: that of its first measure, those without a number last."""
    digits = group[1][0]["name"].removeprefix("B")
    return float(digits) if digits.isdecimal() else math.inf


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
