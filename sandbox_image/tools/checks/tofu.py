"""Boxes that stand where a font has no sign for a letter, in a picture.

Found are rows of equal, empty boxes that stand upright: what most fonts draw. A drawing with such
a row in it would be mistaken for text, so much must agree.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy
from PIL import Image
from scipy import ndimage

from checks.report import Report

LONGEST, CONTRAST = 2400, 40
# The ground of a place is the middle of what is around it, in steps of so many pixels.
STEP, AROUND = 8, 11
LEAST, TALLEST = 7, 0.2
# Height to width, stroke to height, and the room between two boxes to their width.
SHAPES, STROKES, ROOM = (1.05, 2.4), (0.02, 0.17), 0.75
FULL, ROW, MOST_SHAPES = 0.88, 3, 20_000


class Box(NamedTuple):
    left: int
    top: int
    width: int
    height: int


def check_boxes(image: Image.Image, report: Report) -> None:
    if number := missing(image):
        report.fail(
            "tofu",
            f"{number} empty boxes stand in rows, as for signs that the font lacks: use one that "
            "has them",
            number=number,
        )


def missing(image: Image.Image) -> int:
    """How many boxes for missing signs there are in a picture."""
    if image.mode in ("RGBA", "LA", "PA", "P"):
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(ground, image)
    image = image.convert("L")
    if max(image.size) > LONGEST:
        image.thumbnail((LONGEST, LONGEST))
    pixels = numpy.asarray(image).astype("f4")
    around = ndimage.median_filter(pixels[::STEP, ::STEP], size=AROUND)
    around = around.repeat(STEP, 0).repeat(STEP, 1)[: pixels.shape[0], : pixels.shape[1]]
    found = 0
    for ink in (around - pixels > CONTRAST, pixels - around > CONTRAST):
        found += sum(len(row) for row in rows(boxes(ink)))
    return found


def boxes(ink: numpy.ndarray) -> list[Box]:
    labels, number = ndimage.label(ink, structure=numpy.ones((3, 3)))
    if number > MOST_SHAPES:
        return []
    found = []
    for label, place in enumerate(ndimage.find_objects(labels), 1):
        down, across = place
        box = Box(across.start, down.start, across.stop - across.start, down.stop - down.start)
        if (
            min(box.width, box.height) >= LEAST
            and box.height <= TALLEST * max(ink.shape)
            and SHAPES[0] <= box.height / box.width <= SHAPES[1]
            and hollow(labels[place] == label, ink[place])
        ):
            found.append(box)
    return found


def hollow(shape: numpy.ndarray, ink: numpy.ndarray) -> bool:
    """Whether a shape is the outline of a box with nothing in it."""
    height, width = shape.shape
    edges = (shape[0], shape[-1], shape[:, 0], shape[:, -1])
    if min(edge.mean() for edge in edges) < FULL:
        return False
    stroke = int(numpy.argmin(shape[height // 2])) if not shape[height // 2].all() else width
    if not STROKES[0] <= stroke / height <= STROKES[1]:
        return False
    inside = slice(stroke + 1, -stroke - 1)
    inner = ink[inside, inside]
    return inner.size > 0 and not inner.any()


def rows(found: list[Box]) -> list[list[Box]]:
    """Boxes of one size that stand on one line, a letter's room apart."""
    lines: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for box in sorted(found):
        for key in ((box.top, box.height), (box.top + 1, box.height), (box.top - 1, box.height)):
            if key in lines:
                lines[key].append(box)
                break
        else:
            lines[box.top, box.height].append(box)
    rows: list[list[Box]] = []
    for line in lines.values():
        row: list[Box] = []
        for box in line:
            if row and not beside(row[-1], box):
                rows.append(row)
                row = []
            row.append(box)
        rows.append(row)
    return [row for row in rows if len(row) >= ROW]


def beside(one: Box, other: Box) -> bool:
    room = other.left - one.left - one.width
    return abs(one.width - other.width) <= 1 and 0 < room <= max(2, ROOM * one.width)
