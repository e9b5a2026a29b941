"""PDF: its pages."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from checks.pdf import paper
from checks.report import run
from PIL import Image

from sight import SIDE, Sight, Text, Unreadable, Wish
from sight.sheet import each, sheet
from sight.words import read, told

SECONDS = 25
PAGES = 6
PAPER = r"^Page size:\s+([\d.]+) x ([\d.]+) pts"


def draw(path: Path, wish: Wish) -> Sight:
    info = run("pdfinfo", str(path), seconds=SECONDS)
    count = re.search(r"^Pages:\s+(\d+)", info.stdout, re.MULTILINE)
    if info.returncode or not count:
        raise Unreadable((info.stderr.strip().splitlines() or ["no pages"])[-1])
    pages = int(count[1])
    first = min(wish.page or 1, pages)
    last = first if wish.page else min(pages, PAGES)
    size = re.search(PAPER, info.stdout, re.MULTILINE)
    facts = [f"PDF, {pages} pages"]
    if size:
        facts[0] += f", the first {paper((float(size[1]), float(size[2])))}"
    if last - first + 1 < pages:
        facts[0] += f"; shown: {first}-{last}" if last > first else f"; shown: {first}"
    side = wish.side() if first == last else SIDE
    with tempfile.TemporaryDirectory() as folder:
        run(
            *("pdftoppm", "-png", "-scale-to", str(side), "-f", str(first), "-l", str(last)),
            *(str(path), f"{folder}/page"),
            seconds=SECONDS,
        )
        files = sorted(Path(folder).iterdir())
        if not files:
            raise Unreadable("its pages can't be drawn")
        images = [wish.cut(Image.open(file).convert("RGB")) for file in files]
    words = [] if wish.brief else told(printed(path, first, last) or read(images[0]))
    if len(images) == 1:
        return Sight(images[0], facts, words)
    named = [(f"page {number}", image) for number, image in enumerate(images, first)]
    return Sight(sheet(named), facts + each(named), words, plain=True)


def printed(path: Path, first: int, last: int) -> list[Text]:
    """The lines of text on pages; where there are several, each line says which it is on."""
    layout = run(
        *("pdftotext", "-bbox-layout", "-f", str(first), "-l", str(last), str(path), "-"),
        seconds=SECONDS,
    )
    found: list[Text] = []
    number, width, height, place, line = first - 1, 1.0, 1.0, (0.0, 0.0, 0.0), []
    for row in layout.stdout.splitlines():
        if page := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', row):
            number, width, height = number + 1, float(page[1]), float(page[2])
        elif box := re.search(r'<line xMin="(.+?)" yMin="(.+?)" xMax="(.+?)"', row):
            left, top, right = (float(value) for value in box.groups())
            place, line = (left / width, top / height, right / width), []
        elif word := re.search(r"<word .*>(.*)</word>", row):
            line.append(word[1])
        elif "</line>" in row and line:
            where = f"(page {number}) " if last > first else ""
            text = " ".join(line)
            for code, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
                text = text.replace(code, sign)
            found.append(Text(where + text, *place))
    return found
