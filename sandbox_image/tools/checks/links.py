"""Links to files: they must be there, and be told by a path that holds on other computers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from checks.report import Report, shorten

# Where files lie in this computer and in no other.
HERE = re.compile(r"file:|/(?:workspace|tmp|home|usr|opt)/")
MOST = 6


def check_links(path: Path, targets: Iterable[str], report: Report) -> None:
    """`targets` are what the file at `path` refers to, as it is written there."""
    for target in list(missing(path.parent, dict.fromkeys(targets)))[:MOST]:
        target = shorten(target, 100)
        report.warn(
            "missing_link", f"it links to {target}, which is not there for others", target=target
        )


def missing(folder: Path, targets: Iterable[str]) -> Iterator[str]:
    for target in targets:
        target = target.strip()
        if HERE.match(target):
            yield target
            continue
        try:
            parts = urlsplit(target)
            relative = not (parts.scheme or parts.netloc or parts.path.startswith("/"))
            if relative and parts.path and not (folder / unquote(parts.path)).exists():
                yield target
        except (ValueError, OSError):
            continue
