"""PDF: its first page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from checks.report import run
from PIL import Image

from previews import Subject, Unreadable
from previews.poster import SIDE, poster

SECONDS = 25


def show(subject: Subject) -> Iterator[dict]:
    with tempfile.TemporaryDirectory() as folder:
        result = run(
            *("pdftoppm", "-png", "-singlefile", "-scale-to", str(SIDE), "-f", "1", "-l", "1"),
            *(str(subject.path), f"{folder}/page"),
            seconds=min(SECONDS, subject.seconds),
        )
        file = Path(folder, "page.png")
        if not file.exists():
            said = result.stderr.strip().splitlines() or ["its first page can't be drawn"]
            raise Unreadable(said[-1])
        with Image.open(file) as image:
            yield poster(image, subject.into)
