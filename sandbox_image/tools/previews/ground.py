"""What is drawn for sounds and shapes stands on one dark ground, on light pages and on dark."""

from __future__ import annotations

import numpy
from PIL import Image

SIZE = (640, 320)
TOP, BOTTOM = (38, 48, 82), (24, 31, 56)


def board(fine: int = 1) -> Image.Image:
    """The ground, `fine` times as large as `SIZE`."""
    width, height = (side * fine for side in SIZE)
    down = numpy.linspace(0, 1, height)[:, None, None]
    rows = numpy.array(TOP) * (1 - down) + numpy.array(BOTTOM) * down
    return Image.fromarray(rows.round().astype("u1")).resize((width, height))
