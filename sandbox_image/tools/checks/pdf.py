"""PDF: pages and their sizes, embedded fonts, empty pages, words outside the paper."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from PIL import Image

from checks.report import Report, Unreadable, run

MOST_PAGES = 40
PAPER = {
    (210, 297): "A4",
    (297, 420): "A3",
    (420, 594): "A2",
    (148, 210): "A5",
    (216, 279): "Letter",
}


def check(path: Path, report: Report) -> None:
    info = run("pdfinfo", "-l", "9999", str(path))
    if info.returncode:
        raise Unreadable(info.stderr.strip().splitlines()[-1])
    sizes = [
        (float(width), float(height))
        for width, height in re.findall(
            r"^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+) pts", info.stdout, re.MULTILINE
        )
    ]
    report.kind = "PDF"
    report.facts["pages"] = len(sizes)
    counts = Counter(paper(size) for size in sizes)
    report.facts["paper"] = "; ".join(
        name if len(counts) == 1 else f"{name} ({number} pages)" for name, number in counts.items()
    )
    fonts(path, report)
    empty(path, report)
    words(path, report)


def paper(points: tuple[float, float]) -> str:
    width, height = (round(side / 72 * 25.4) for side in points)
    name = PAPER.get((min(width, height), max(width, height)))
    size = f"{width}x{height} mm"
    return f"{name} {'landscape' if width > height else 'portrait'}" if name else size


def fonts(path: Path, report: Report) -> None:
    names = []
    for line in run("pdffonts", str(path)).stdout.splitlines()[2:]:
        found = re.match(r"(.{36}) .*?\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$", line)
        if found:
            name = found[1].strip().split("+")[-1]
            names.append(name)
            if found[2] == "no":
                report.warn(
                    "not_embedded",
                    f"the font {name} is not embedded: others will see another one",
                    font=name,
                )
    report.facts["fonts"] = ", ".join(dict.fromkeys(names)) or "none"


def empty(path: Path, report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run("pdftoppm", "-r", "24", "-gray", "-l", str(MOST_PAGES), str(path), f"{folder}/page")
        pages = sorted(Path(folder).iterdir())
        if not pages:
            raise Unreadable("its pages can't be drawn")
        for number, page in enumerate(pages, 1):
            darkest, lightest = Image.open(page).getextrema()
            if lightest - darkest <= 2:
                report.warn("empty_page", f"page {number} is empty", page=number)


def words(path: Path, report: Report) -> None:
    """Words that stick out of the page they are on."""
    text = run("pdftotext", "-bbox", "-l", str(MOST_PAGES), str(path), "-").stdout
    number, width, height = 0, 0.0, 0.0
    for line in text.splitlines():
        if found := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', line):
            number, width, height = number + 1, float(found[1]), float(found[2])
        elif found := re.search(
            r'xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*)</word>',
            line,
        ):
            left, top, right, bottom = (float(value) for value in found.groups()[:4])
            slack = 0.3 * (bottom - top)
            if left < -2 or right > width + 2 or top < -slack or bottom > height + slack:
                report.warn(
                    "off_paper",
                    f"page {number}: “{found[5]}” leaves the paper",
                    page=number,
                    text=found[5],
                )
