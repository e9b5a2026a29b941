"""Tables, JSON, archives and plain text: decodable, complete, regular."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

from checks.report import Report, Unreadable, run

SUFFIXES = (".csv", ".tsv", ".json", ".geojson", ".txt", ".md")
TEXTS = (".csv", ".tsv", ".json", ".geojson", ".txt", ".md")
MOST_BYTES = 64 << 20


def check(path: Path, report: Report) -> None:
    if zipfile.is_zipfile(path):
        archive(path, report)
        return
    data = path.read_bytes()[:MOST_BYTES]
    suffix = path.suffix.lower()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if suffix in TEXTS:
            raise Unreadable(f"not UTF-8 at byte {error.start:,}") from None
        report.kind = run("file", "--brief", str(path)).stdout.strip()
        return
    report.facts |= {"lines": text.count("\n") + (not text.endswith("\n")), "characters": len(text)}
    if "\ufffd" in text:
        lost = text.count("\ufffd")
        report.warn(
            "lost_characters",
            f"{lost} characters were lost to a wrong encoding (\ufffd)",
            number=lost,
        )
    if suffix in (".json", ".geojson"):
        tree(text, report)
    elif suffix in (".csv", ".tsv"):
        table(text, report)
    else:
        report.kind = "text"
        if not text.strip():
            report.fail("no_text", "nothing but blank space")


def tree(text: str, report: Report) -> None:
    report.kind = "JSON"
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}", "not_parsed") from None
    if isinstance(value, dict) and value.get("type") == "FeatureCollection":
        report.kind = "GeoJSON"
        report.facts["features"] = len(value.get("features", []))
    elif isinstance(value, dict | list):
        report.facts["entries"] = len(value)


def table(text: str, report: Report) -> None:
    report.kind = "table"
    try:
        dialect = csv.Sniffer().sniff(text[:20_000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows = [row for row in csv.reader(text.splitlines(keepends=True), dialect) if row]
    if not rows:
        raise Unreadable("no rows")
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


def archive(path: Path, report: Report) -> None:
    report.kind = run("file", "--brief", str(path)).stdout.strip()
    with zipfile.ZipFile(path) as file:
        report.facts["members"] = len(file.namelist())
        if damaged := file.testzip():
            raise Unreadable(f"the member {damaged} is damaged")
