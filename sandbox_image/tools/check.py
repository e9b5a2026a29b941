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
from checks.report import Report


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
    return report


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="check",
        description="Facts and findings for video, sound, pictures, SVG, PDF, web pages, MIDI, "
        "tables and text. FAIL: broken for whoever opens it. WARN: look at it.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    options = parser.parse_args()
    status = 0
    for path in options.files:
        report = examine(path)
        status = max(status, 0 if not report.findings else 1 if report.readable else 2)
        if options.json:
            print(json.dumps(asdict(report), ensure_ascii=False), flush=True)
        else:
            print(report.text(), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
