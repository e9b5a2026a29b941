"""The text in a picture: read by tesseract, or asked of the browser that drew it."""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from checks.report import Unreadable, run
from PIL import Image

from sight import Text

LANGUAGES = "eng+chi_sim"
SECONDS = 15
# Letters are read best at 20 to 40 pixels.
LEAST_SIDE, MOST_SIDE, TITLE_SIDE = 1600, 2000, 700
SURE, VERY_SURE = 60, 85
MOST_LINES, MOST_CHARACTERS = 60, 80
HAN = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"

SCRIPT = Path(__file__).with_name("words.js").read_text("utf-8")


def read(image: Image.Image) -> list[Text] | None:
    """The lines of text in a picture, from top to bottom; None when reading took too long."""
    found: list[Line] = []
    try:
        for side in sides(max(image.size)):
            found += lines(image, side)
    except Unreadable:
        return None
    # Of two readings of one place the one that is surer of more letters counts.
    kept: list[Line] = []
    for line in sorted(found, key=lambda line: -line.weight):
        if not any(line.covers(other) for other in kept):
            kept.append(line)
    return sorted(
        (line.text for line in kept if line.is_text()),
        key=lambda text: (round(text.top, 2), text.left),
    )


def sides(longest: int) -> tuple[int, int]:
    """The sizes in which a picture is read: large for its small print, small for its titles."""
    return min(MOST_SIDE, max(LEAST_SIDE, longest), 2 * longest), min(TITLE_SIDE, longest)


@dataclass(frozen=True)
class Line:
    """A line as it was read: `sure` of 100, `weight` that times its letters."""

    text: Text
    bottom: float
    sure: float
    letters: int

    @property
    def weight(self) -> float:
        return self.sure * self.letters

    def covers(self, other: Line) -> bool:
        """Whether both are in one place."""
        mine, its = self.text, other.text
        across = min(mine.right, its.right) - max(mine.left, its.left)
        down = min(self.bottom, other.bottom) - max(mine.top, its.top)
        low = min(self.bottom - mine.top, other.bottom - its.top)
        return across > 0.5 * min(mine.right - mine.left, its.right - its.left) and down > 0.4 * low

    def is_text(self) -> bool:
        """Whether it is rather text than a pattern."""
        least = 2 if self.sure >= VERY_SURE else 3
        return (
            self.sure >= SURE and self.letters >= least and 2 * self.letters > len(self.text.text)
        )


def lines(image: Image.Image, side: int) -> list[Line]:
    """All lines that are read in a picture when its longest side has so many pixels."""
    scale = side / max(image.size)
    size = [max(1, round(edge * scale)) for edge in image.size]
    image = image.convert("L").resize(size, Image.Resampling.LANCZOS)
    # More threads than one gain little, and turn idly when the machine is busy.
    os.environ["OMP_THREAD_LIMIT"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        image.save(f"{folder}/a.png", compress_level=1)
        command = ("tesseract", f"{folder}/a.png", "-", "-l", LANGUAGES, "--psm", "11", "tsv")
        table = run(*command, seconds=SECONDS).stdout
    found = defaultdict(list)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5" and row["text"].strip() and float(row["conf"]) >= SURE / 2:
            found[row["block_num"], row["par_num"], row["line_num"]].append(row)
    return [line_of(words, *image.size) for words in found.values()]


def line_of(words: list[dict[str, str]], width: int, height: int) -> Line:
    """One line out of its words."""
    text = " ".join(word["text"] for word in words)
    text = re.sub(rf"(?<={HAN}) (?={HAN})", "", text).strip()
    left, top = (min(int(word[side]) for word in words) for side in ("left", "top"))
    right = max(int(word["left"]) + int(word["width"]) for word in words)
    bottom = max(int(word["top"]) + int(word["height"]) for word in words)
    return Line(
        Text(text, left / width, top / height, right / width),
        bottom / height,
        sum(float(word["conf"]) for word in words) / len(words),
        # A Chinese letter says as much as two of others.
        len(re.findall(r"\w", text)) + len(re.findall(HAN, text)),
    )


def told(texts: list[Text] | None) -> list[str]:
    """The lines and their places, as the model reads them."""
    if texts is None:
        return ["text: reading it took too long"]
    if not texts:
        return ["text: none found"]
    lines = [f"text, {len(texts)} lines (from the top; from left to right):"]
    for text in texts[:MOST_LINES]:
        words = text.text
        if len(words) > MOST_CHARACTERS:
            words = words[: MOST_CHARACTERS - 1] + "…"
        lines.append(f"  {text.top:.0%}; {text.left:.0%}-{text.right:.0%}: {words}")
    if len(texts) > MOST_LINES:
        lines.append(f"  and {len(texts) - MOST_LINES} more")
    return lines


def asked(page, left: float, top: float, width: float, height: float) -> list[Text]:
    """The lines of text that a browser shows in a part of a page."""
    found = [
        Text(
            item["text"],
            (item["left"] - left) / width,
            (item["top"] - top) / height,
            (item["right"] - left) / width,
        )
        for item in page.evaluate(SCRIPT)
        if left <= item["left"] < left + width and top <= item["top"] < top + height
    ]
    return sorted(found, key=lambda text: (round(text.top, 3), text.left))
