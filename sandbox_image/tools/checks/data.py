"""Tables, JSON and plain text: decodable, complete, regular."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from checks.report import Report, Unreadable, run

TREES, TABLES = (".json", ".geojson", ".topojson", ".ipynb", ".webmanifest"), (".csv", ".tsv")
TEXTS = (*TREES, *TABLES, ".txt", ".jsonl", ".ndjson")
MOST_BYTES = 64 << 20


def check(path: Path, report: Report) -> None:
    suffix = path.suffix.lower()
    text = decoded(path, report, certain=suffix in TEXTS)
    if text is None:
        report.kind = run("file", "--brief", str(path)).stdout.strip()
    elif suffix in TREES:
        tree(text, report)
    elif suffix in TABLES:
        table(text, report)
    elif suffix in (".jsonl", ".ndjson"):
        lines(text, report)
    else:
        report.kind = "text"
        if not text.strip():
            report.fail("no_text", "nothing but blank space")


def decoded(path: Path, report: Report, *, certain: bool) -> str | None:
    """The text of a file that is `certain` to be one; None for another that is none."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not certain:
            return None
        raise Unreadable(f"not UTF-8 at byte {error.start:,}") from None
    report.facts |= {"lines": text.count("\n") + (not text.endswith("\n")), "characters": len(text)}
    if "\ufffd" in text:
        lost = text.count("\ufffd")
        report.warn(
            "lost_characters",
            f"{lost} characters were lost to a wrong encoding (\ufffd)",
            number=lost,
        )
    return text


def parsed(text: str, where: str = "") -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON{where}: {error}", "not_parsed") from None


def lines(text: str, report: Report) -> None:
    """JSON Lines: each line is a value of its own."""
    report.kind = "JSON Lines"
    values = [
        parsed(line, f" in line {number}")
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    report.facts["entries"] = len(values)


def tree(text: str, report: Report) -> None:
    report.kind = "JSON"
    value = parsed(text)
    if isinstance(value, dict) and value.get("type") == "FeatureCollection":
        report.kind = "GeoJSON"
        features = value.get("features")
        if not isinstance(features, list):
            raise Unreadable("not GeoJSON: it has no list of features", "not_parsed")
        report.facts["features"] = len(features)
    elif isinstance(value, dict | list):
        report.facts["entries"] = len(value)


def table(text: str, report: Report) -> None:
    report.kind = "table"
    try:
        dialect = csv.Sniffer().sniff(text[:20_000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        rows = [row for row in csv.reader(text.splitlines(keepends=True), dialect) if row]
    except csv.Error as error:
        raise Unreadable(f"not a table: {error}", "not_parsed") from None
    if not rows:
        raise Unreadable("no rows", "not_parsed")
    width = len(rows[0])
    report.facts |= {"rows": len(rows) - 1, "columns": width, "delimiter": repr(dialect.delimiter)}
    ragged = [number for number, row in enumerate(rows, 1) if len(row) != width]
    if ragged:
        report.warn(
            "ragged",
            f"{len(ragged)} rows have another number of columns, the first is row {ragged[0]}",
            number=len(ragged),
            row=ragged[0],
        )
    if len(rows) == 1:
        report.warn("only_heading", "a heading and no rows")
