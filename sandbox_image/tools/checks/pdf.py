"""PDF: pages and their sizes, embedded fonts, empty pages, words outside the paper."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from PIL import Image

from checks.report import Report, Unreadable, run
from checks.tofu import check_boxes

SECONDS = 20
MOST_PAGES, READ_PAGES, MOST_WORDS = 40, 3, 6
# Signs that programs put where a font lacks one; a single square may be a bullet.
LOST = re.compile("^\\W*\u25a0{2,}\\W*$|\ufffd")
FEW = 4
PAPER = {
    (841, 1189): "A0",
    (594, 841): "A1",
    (420, 594): "A2",
    (297, 420): "A3",
    (210, 297): "A4",
    (148, 210): "A5",
    (105, 148): "A6",
    (216, 279): "Letter",
}
SLACK_MM, BLEED_MM = 2, (2, 12)
POINT_MM = 25.4 / 72


def check(path: Path, report: Report) -> None:
    info = run("pdfinfo", "-box", "-l", "9999", str(path), seconds=SECONDS)
    if info.returncode:
        reason = (info.stderr.strip().splitlines() or ["not a PDF"])[-1]
        raise Unreadable(reason, "truncated" if cut(path) else "unreadable")
    sizes = boxes(info.stdout, "MediaBox") or [(0.0, 0.0)]
    trims = boxes(info.stdout, "TrimBox") or sizes
    report.kind = "PDF"
    report.width, report.height = (round(side / 72 * 96) for side in trims[0])
    report.facts["pages"] = len(sizes)
    bleeds = [bleed(*pair) for pair in zip(sizes, trims, strict=True)]
    counts = Counter(paper(trim, bled) for trim, bled in zip(trims, bleeds, strict=True))
    report.facts["paper"] = "; ".join(
        name if len(counts) == 1 else f"{name} ({number} pages)" for name, number in counts.items()
    )
    report.facts["bleed"] = f"{bleeds[0]:g} mm" if bleeds[0] else "none"
    fonts(path, report)
    drawn(path, report)
    words(path, report)


def cut(path: Path) -> bool:
    """Whether a PDF begins and does not end."""
    with path.open("rb") as file:
        begins = b"%PDF" in file.read(1024)
        file.seek(max(0, path.stat().st_size - 4096))
        return begins and b"%%EOF" not in file.read()


def boxes(info: str, name: str) -> list[tuple[float, float]]:
    """Width and height of a box of every page, in points."""
    found = re.findall(rf"^Page\s+\d+ {name}:((?:\s+-?[\d.]+){{4}})$", info, re.MULTILINE)
    edges = [[float(edge) for edge in text.split()] for text in found]
    return [(abs(right - left), abs(top - bottom)) for left, bottom, right, top in edges]


def bleed(media: tuple[float, float], trim: tuple[float, float]) -> float:
    """By how many mm a page is larger on every side than what is cut out of it; 0 if it is not.

    Where no such size is given, the paper's own that is a little smaller.
    """
    edges = [(whole - part) * POINT_MM / 2 for whole, part in zip(media, trim, strict=True)]
    if min(edges) < 0.5:
        size = sorted(side * POINT_MM for side in media)
        for known in PAPER:
            edges = [(whole - part) / 2 for whole, part in zip(size, known, strict=True)]
            if abs(edges[0] - edges[1]) < 0.7 and BLEED_MM[0] <= min(edges) <= BLEED_MM[1]:
                return round(min(edges), 1)
        return 0.0
    return round(min(edges), 1)


def paper(points: tuple[float, float], bleed: float = 0) -> str:
    width, height = (round(side * POINT_MM) for side in points)
    inside = sorted((width, height))
    for known, name in PAPER.items():
        for edge in (0, 2 * bleed):
            sides = zip(inside, known, strict=True)
            if all(abs(side - edge - wanted) <= SLACK_MM for side, wanted in sides):
                return f"{name} {'landscape' if width > height else 'portrait'}"
    return f"{width}x{height} mm"


def fonts(path: Path, report: Report) -> None:
    names, outside = [], []
    listed = run("pdffonts", str(path), seconds=SECONDS).stdout
    for line in listed.splitlines()[2:]:
        found = re.match(r"(.{36}) (.*?)\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$", line)
        if found:
            name = found[1].strip().split("+")[-1]
            names.append(name)
            # Type 3 fonts are drawings and always inside.
            if found[3] == "no" and not found[2].startswith("Type 3"):
                outside.append(name)
    report.facts["fonts"] = ", ".join(dict.fromkeys(names)) or "none"
    for name in sorted(set(outside) & written(path, outside)) if outside else []:
        report.warn(
            "not_embedded",
            f"the font {name} is not embedded: others will see another one",
            font=name,
        )


def written(path: Path, names: list[str]) -> set[str]:
    """The fonts in which something is written, as programs name more than they use; all `names`
    where nobody can tell.
    """
    # It takes a while to import.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    used: set[str] = set()

    def note(text: str, _to: object, _from: object, font: dict | None, _size: float) -> None:
        if font and text.strip():
            used.add(str(font.get("/BaseFont", "")).lstrip("/").split("+")[-1])

    try:
        for page in PdfReader(path).pages[:MOST_PAGES]:
            page.extract_text(visitor_text=note)
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return set(names)
    return used


def drawn(path: Path, report: Report) -> None:
    """Pages with nothing on them, and boxes for missing signs."""
    with tempfile.TemporaryDirectory() as folder:
        draw = ("pdftoppm", "-gray", "-l")
        run(*draw, str(MOST_PAGES), "-r", "24", str(path), f"{folder}/page", seconds=SECONDS)
        pages = sorted(Path(folder).iterdir())
        if not pages:
            raise Unreadable("its pages can't be drawn")
        for number, page in enumerate(pages, 1):
            darkest, lightest = Image.open(page).getextrema()
            if lightest - darkest <= 2:
                report.warn("empty_page", f"page {number} is empty", page=number)
    with tempfile.TemporaryDirectory() as folder:
        size = ("-scale-to", "1600")
        run(*draw, str(READ_PAGES), *size, str(path), f"{folder}/page", seconds=SECONDS)
        for page in sorted(Path(folder).iterdir()):
            check_boxes(Image.open(page), report)


def words(path: Path, report: Report) -> None:
    """Words that stick out of the page they are on, and signs that its font lacks."""
    bounded = ("pdftotext", "-bbox", "-l", str(MOST_PAGES))
    text = run(*bounded, str(path), "-", seconds=SECONDS).stdout
    number, width, height, outside, lost = 0, 0.0, 0.0, 0, 0
    for line in text.splitlines():
        if found := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', line):
            number, width, height = number + 1, float(found[1]), float(found[2])
        elif found := re.search(
            r'xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*)</word>',
            line,
        ):
            left, top, right, bottom = (float(value) for value in found.groups()[:4])
            slack = 0.3 * (bottom - top)
            if LOST.search(found[5]):
                lost += len(found[5])
            if left < -2 or right > width + 2 or top < -slack or bottom > height + slack:
                outside += 1
                if outside <= MOST_WORDS:
                    report.warn(
                        "off_paper",
                        f"page {number}: “{found[5]}” leaves the paper",
                        page=number,
                        text=found[5],
                    )
    # A row of filled and hollow squares is a mark out of five.
    if lost >= FEW and "\u25a1" not in text:
        report.fail("tofu", f"{lost} signs are squares: the font lacks them", number=lost)
