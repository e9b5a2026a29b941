"""What is to be seen, one module for each medium.

Each has `draw(path, wish)`, which gives a `Sight`: a picture, what is known of it, and the text
found in it; it raises Unreadable when there is nothing to draw.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from checks import Unreadable
from PIL import Image

# The longest side of a picture that models take without scaling it themselves.
SIDE = 1568
MOST_PIXELS = 180_000_000


@dataclass(frozen=True)
class Wish:
    """What of a file is asked for; `part` is left, top, right and bottom in percent."""

    at: float | None = None
    page: int | None = None
    width: int = 1280
    part: tuple[float, float, float, float] = (0, 0, 100, 100)
    brief: bool = False

    def side(self) -> int:
        """The pixels that the whole must have so that its part has enough."""
        left, top, right, bottom = self.part
        return round(SIDE * min(4, 100 / max(right - left, bottom - top)))

    def cut(self, image: Image.Image) -> Image.Image:
        """The part of a picture that is asked for."""
        if self.part == (0, 0, 100, 100):
            return image
        left, top, right, bottom = (
            round(edge / 100 * side) for edge, side in zip(self.part, image.size * 2, strict=True)
        )
        image = image.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
        closer = min(4, SIDE / max(image.size))
        if closer <= 1:
            return image
        size = [max(1, round(side * closer)) for side in image.size]
        return image.resize(size, Image.Resampling.LANCZOS)


@dataclass(frozen=True)
class Text:
    """A line of text and where it is, in parts of the picture's width and height."""

    text: str
    left: float
    top: float
    right: float


@dataclass
class Sight:
    """A picture, lines about the file, and lines with the text in it.

    `plain` says that the colours of the whole picture tell nothing.
    """

    image: Image.Image
    facts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    plain: bool = False


__all__ = ["MOST_PIXELS", "SIDE", "Sight", "Text", "Unreadable", "Wish"]
