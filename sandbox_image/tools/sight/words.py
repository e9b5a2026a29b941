"""The text in a picture: read by tesseract, or asked of the browser that drew it."""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from collections import defaultdict
from pathlib import Path

from checks.report import Unreadable, run
from PIL import Image

from sight import Text

LANGUAGES = "eng+chi_sim"
SECONDS = 15
# Letters are read best at 20 to 40 pixels; a small picture has smaller ones.
LEAST_SIDE, MOST_SIDE = 1600, 2000
SURE, VERY_SURE = 60, 85
MOST_LINES, MOST_CHARACTERS = 60, 80
HAN = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"

SCRIPT = Path(__file__).with_name("words.js").read_text("utf-8")


def read(image: Image.Image) -> list[Text] | None:
    """The lines of text in a picture, from top to bottom; None when reading took too long."""
    longest = max(image.size)
    factor = min(2.0, LEAST_SIDE / longest) if longest < LEAST_SIDE else MOST_SIDE / longest
    if factor > 1 or longest > MOST_SIDE:
        size = [max(1, round(side * factor)) for side in image.size]
        image = image.resize(size, Image.Resampling.LANCZOS)
    # More threads than one gain little, and turn idly when the machine is busy.
    os.environ["OMP_THREAD_LIMIT"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        image.convert("L").save(f"{folder}/a.png", compress_level=1)
        command = ("tesseract", f"{folder}/a.png", "-", "-l", LANGUAGES, "--psm", "11", "tsv")
        try:
            table = run(*command, seconds=SECONDS).stdout
        except Unreadable:
            return None
    lines = defaultdict(list)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5" and row["text"].strip():
            lines[row["block_num"], row["par_num"], row["line_num"]].append(row)
    found = [text for words in lines.values() if (text := line(words, *image.size))]
    return sorted(found, key=lambda text: (round(text.top, 2), text.left))


def line(words: list[dict[str, str]], width: int, height: int) -> Text | None:
    """One line out of its words, or None when it is rather a pattern than text."""
    words = [word for word in words if float(word["conf"]) >= SURE / 2]
    if not words:
        return None
    sure = sum(float(word["conf"]) for word in words) / len(words)
    text = " ".join(word["text"] for word in words)
    text = re.sub(rf"(?<={HAN}) (?={HAN})", "", text).strip()
    letters = len(re.findall(r"\w", text)) + len(re.findall(HAN, text))
    if sure < SURE or letters < (2 if sure >= VERY_SURE else 3) or 2 * letters < len(text):
        return None
    left, top = (min(int(word[side]) for word in words) for side in ("left", "top"))
    right = max(int(word["left"]) + int(word["width"]) for word in words)
    return Text(text, left / width, top / height, right / width)


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
