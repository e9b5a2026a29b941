"""What can be read in a file: the words by which people look for it."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

CHARACTERS = 20_000
BYTES, PAGES, SECONDS = 1 << 20, 40, 20
# Where documents of Word, Excel and PowerPoint have their words.
PARTS = re.compile(r"word/(document|footnotes)\.xml|xl/sharedStrings\.xml|ppt/slides/slide\d+\.xml")
SILENT = ("script", "style", "template", "noscript")
# Within a word there may be these, and of a document's elements all but those that end a line.
INLINE = (
    *("a", "b", "i", "u", "em", "strong", "span", "mark", "small", "code", "sub", "sup", "font"),
    *("tspan", "t", "r"),
)
ENDS = ("w:p", "a:p", "w:tab", "w:br", "a:br")
BROKEN = (OSError, ValueError, RuntimeError, csv.Error, zlib.error, zipfile.BadZipFile)


def reading(path: Path, kind: str) -> str:
    """The beginning of it in one line; empty for what has no words."""
    words: list[str] = []
    left = CHARACTERS
    try:
        for piece in READERS.get(kind, nothing)(path):
            plain = " ".join(piece[: 4 * left].split())[:left]
            if plain:
                words.append(plain)
                left -= len(plain) + 1
            if left <= 0:
                break
    except (*BROKEN, subprocess.SubprocessError):
        # What is broken in it, `check` tells.
        pass
    return " ".join(words)


def nothing(path: Path) -> Iterator[str]:
    yield from ()


def text(path: Path) -> Iterator[str]:
    yield beginning(path)


def beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(BYTES).decode("utf-8-sig", "replace")


def table(path: Path) -> Iterator[str]:
    for row in csv.reader(io.StringIO(beginning(path))):
        yield " ".join(row)


def markup(path: Path) -> Iterator[str]:
    yield shown(beginning(path))


def shown(source: str) -> str:
    """The words of HTML or XML."""
    parser = Words()
    parser.feed(source)
    return "".join(parser.words)


class Words(HTMLParser):
    """Collects what is shown of HTML or XML."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        told = (value for name, value in attrs if name in ("alt", "aria-label") and value)
        self.words += [f" {value} " for value in told]
        self._end_word(tag)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT and self._silent > 0
        self._end_word(tag)

    def _end_word(self, tag: str) -> None:
        if tag in ENDS or (":" not in tag and tag not in INLINE):
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)


def paper(path: Path) -> Iterator[str]:
    command = ["pdftotext", "-q", "-l", str(PAGES), "-enc", "UTF-8", str(path), "-"]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    yield done.stdout[:BYTES].decode("utf-8", "replace")


def office(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as archive:
        for part in archive.infolist():
            if PARTS.fullmatch(part.filename):
                with archive.open(part) as file:
                    yield shown(file.read(BYTES).decode("utf-8", "replace"))


READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    "html": markup,
    "svg": markup,
    "markdown": text,
    "text": text,
    "json": text,
    "csv": table,
    "pdf": paper,
    "other": office,
}
