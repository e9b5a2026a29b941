"""Whether a picture shows anything."""

from __future__ import annotations

import numpy
from PIL import Image

from checks.report import Report

CLEAR, FLAT = "every pixel is transparent", "one flat colour"


def check_blank(image: Image.Image, report: Report) -> None:
    why = nothing_to_see(image)
    if why == CLEAR:
        report.fail("transparent", f"nothing to see: {CLEAR}")
    elif why:
        report.fail("blank", f"nothing to see: {why}")


def nothing_to_see(image: Image.Image) -> str:
    """Why there is nothing to see in a picture, or nothing."""
    # Print is so large that it must not be copied.
    if image.mode in ("L", "RGB", "RGBA", "CMYK") and (factor := max(image.size) // 800) > 1:
        image = image.reduce(factor)
    small = image.convert("RGBA")
    small.thumbnail((400, 400))
    pixels = numpy.asarray(small).astype(int)
    if pixels[..., 3].max() == 0:
        return CLEAR
    if max(image.size) > 16 and numpy.ptp(pixels[..., :3].reshape(-1, 3), axis=0).max() <= 2:
        return FLAT
    return ""
