"""check FILE…: the facts about a media file, and what is wrong with it, in a few lines.

Exit status: 0 nothing found, 1 something found, 2 a file can't be read at all.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from checks import Unreadable, data, midi, page, pdf, picture, sound, svg, video
from checks.report import Report

MEDIA = (video, sound, picture, svg, pdf, page, midi, data)
BY_SUFFIX = {suffix: medium for medium in MEDIA for suffix in medium.SUFFIXES}


def examine(path: Path) -> Report:
    """The report on one file; raises Unreadable."""
    if not path.is_file():
        raise Unreadable("no such file")
    report = Report(str(path), path.stat().st_size)
    if report.bytes == 0:
        report.fail("the file is empty")
        return report
    BY_SUFFIX.get(path.suffix.lower(), data).check(path, report)
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
        try:
            report = examine(path)
        except Unreadable as error:
            report = Report(str(path), path.stat().st_size if path.is_file() else 0)
            report.fail(f"cannot be read: {error}")
            status = 2
        if report.findings:
            status = max(status, 1)
        if options.json:
            print(json.dumps(asdict(report), ensure_ascii=False))
        else:
            print(report.text())
    return status


if __name__ == "__main__":
    sys.exit(main())
