"""Several pictures on one sheet, each with a line above it."""

from __future__ import annotations

import math

from checks.blank import nothing_to_see
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

from sight import SIDE
from sight.digest import main_colours

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LINE, GAP = 22, 8
PAPER, INK = (238, 238, 238), (40, 40, 40)


def sheet(pictures: list[tuple[str, Image.Image]]) -> Image.Image:
    """All of them in the arrangement that shows them largest."""
    width = max(image.width for _, image in pictures)
    height = max(image.height for _, image in pictures)

    def scale(columns: int) -> float:
        rows = math.ceil(len(pictures) / columns)
        across = (SIDE - GAP * (columns + 1)) / columns / width
        down = (SIDE - (GAP + LINE) * rows - GAP) / rows / height
        return min(across, down)

    columns = max(range(1, len(pictures) + 1), key=scale)
    cell = [max(1, int(side * min(1, scale(columns)))) for side in (width, height)]
    rows = math.ceil(len(pictures) / columns)
    size = (columns * (cell[0] + GAP) + GAP, rows * (cell[1] + GAP + LINE) + GAP)
    result = Image.new("RGB", size, PAPER)
    pen, font = ImageDraw.Draw(result), ImageFont.truetype(FONT, 15)
    for position, (caption, image) in enumerate(pictures):
        row, column = divmod(position, columns)
        left, top = GAP + column * (cell[0] + GAP), GAP + row * (cell[1] + GAP + LINE)
        pen.text((left, top), caption, INK, font)
        small = image.copy()
        small.thumbnail(cell, Image.Resampling.LANCZOS)
        result.paste(small, (left, top + LINE))
    return result


def each(pictures: list[tuple[str, Image.Image]], *, moving: bool = False) -> list[str]:
    """A line for each: its main colours and, of frames, how far it differs from the one before."""
    lines, before = [], None
    for caption, image in pictures:
        blank = "blank, " if nothing_to_see(image) else ""
        small = image.resize((160, 160))
        moved = ""
        if moving and before:
            change = sum(ImageStat.Stat(ImageChops.difference(before, small)).mean) / 3 / 2.55
            moved = f"; {change:.1f} % other than before" if change >= 0.1 else "; as before"
        lines.append(f"{caption}: {blank}{main_colours(image, 3)}{moved}")
        before = small
    return lines
