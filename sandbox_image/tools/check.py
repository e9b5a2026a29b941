"""check FILE…: the facts about a media file, and what is wrong with it, in a few lines.

Exit status: 0 nothing found, 1 something found, 2 a file can't be read at all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from checks import MEDIA, Unreadable
from checks.asked import compare, concerns, read
from checks.report import Report

ASKED = 'what the request asks for: {"seconds": 30, "size": [1920, 1080], "paper": "A3"}'


def examine(path: Path, asked: Mapping[str, object] | None = None) -> Report:
    """The report on one file; `asked` is what the request asks for, as `--asked` has it."""
    report = Report(str(path), path.stat().st_size if path.is_file() else 0)
    try:
        if not path.is_file():
            raise Unreadable("no such file", "missing")
        if report.bytes == 0:
            report.fail("empty_file", "the file is empty")
            return report
        # Together they would take long to import.
        import_module(f"checks.{MEDIA.get(path.suffix.lower(), 'data')}").check(path, report)
    except Unreadable as error:
        report.broken(error)
    if asked:
        compare([report], asked)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="check",
        description="Facts and findings for video, sound, pictures, SVG, PDF, web pages, MIDI, "
        "tables and text. FAIL: broken for whoever opens it. WARN: look at it.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--asked", type=read, default={}, metavar="JSON", help=ASKED)
    options = parser.parse_args()
    reports = []
    for path in options.files:
        reports.append(report := examine(path))
        # Whether one of several is as it was asked for is known at the end.
        if not concerns(report, options.asked):
            tell(report, options.json)
    compare(reports, options.asked)
    for report in reports:
        if concerns(report, options.asked):
            tell(report, options.json)
    return max(map(status, reports))


def tell(report: Report, as_json: bool) -> None:
    print(json.dumps(asdict(report), ensure_ascii=False) if as_json else report.text(), flush=True)


def status(report: Report) -> int:
    return 2 if not report.readable else 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
