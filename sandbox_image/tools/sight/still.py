"""Pictures in pixels, moving ones as a sheet of their frames."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy
from PIL import Image, ImageOps

from sight import MOST_PIXELS, Sight, Unreadable, Wish
from sight.sheet import each, sheet
from sight.words import read, told

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "ICO", "AVIF")
WORKING = 2400
FRAMES = 6
# Neither white nor black letters vanish on it.
GREY = (160, 160, 160)
ORIENTATION = 0x0112
DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error)


def draw(path: Path, wish: Wish) -> Sight:
    # The size is looked at here, before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    try:
        image = Image.open(path, formats=FORMATS)
        if image.width * image.height > MOST_PIXELS:
            raise Unreadable(
                f"{image.width}x{image.height} px are too many to draw here (at most "
                f"{MOST_PIXELS:,} in all)"
            )
        frames = getattr(image, "n_frames", 1)
        facts = [f"{image.format} picture, {image.width}x{image.height} px, mode {image.mode}"]
        if frames > 1 and image.format != "MPO":
            return moving(image, frames, facts, wish)
        image = wish.cut(flat(image, facts, largest(wish)))
    except DAMAGED as error:
        raise Unreadable(str(error) or "it is cut off") from None
    return Sight(image, facts, [] if wish.brief else told(read(image)))


def moving(image: Image.Image, frames: int, facts: list[str], wish: Wish) -> Sight:
    """Frames, or pages, that lie evenly between the first and the last."""
    facts[0] += f", {frames} frames"
    count = min(frames, FRAMES)
    numbers = [round(index * (frames - 1) / (count - 1)) for index in range(count)]
    if wish.page:
        numbers = [min(wish.page, frames) - 1]
    pictures = []
    for number in numbers:
        image.seek(number)
        pictures.append((f"frame {number + 1}", wish.cut(flat(image.copy(), [], largest(wish)))))
    words = [] if wish.brief else told(read(pictures[0][1]))
    if len(pictures) == 1:
        return Sight(pictures[0][1], facts, words)
    facts += each(pictures, moving=image.format != "TIFF")
    return Sight(sheet(pictures), facts, words, plain=True)


def largest(wish: Wish) -> int:
    return max(WORKING, wish.side())


def flat(
    image: Image.Image, facts: list[str], most: int, ground: tuple[int, int, int] = GREY
) -> Image.Image:
    """The picture in RGB, its longer side less than twice `most`; `ground` where transparent."""
    image.draft("RGB", (most, most))
    if image.getexif().get(ORIENTATION, 1) != 1:
        image = ImageOps.exif_transpose(image)
    if image.mode[0] in "IF":
        image = levels(image, most)
    if image.mode in ("P", "PA", "LA", "La", "RGBa") or (
        "transparency" in image.info and image.mode != "RGBA"
    ):
        image = image.convert("RGBA")
    if (factor := max(image.size) // most) > 1:
        image = image.reduce(factor)
    if image.mode != "RGBA":
        return image.convert("RGB")
    opacity = image.getchannel("A")
    see_through = 1 - sum(level * n for level, n in enumerate(opacity.histogram())) / (
        255 * image.width * image.height
    )
    if see_through == 0:
        return image.convert("RGB")
    facts.append(f"transparent: {see_through:.1%} of it, shown over grey")
    if see_through == 1:
        facts.append("blank: every pixel is transparent")
    board = Image.new("RGB", image.size, ground)
    board.paste(image, mask=opacity)
    return board


def levels(image: Image.Image, most: int) -> Image.Image:
    """One channel of 16 or 32 bits as one of 8."""
    step = max(1, max(image.size) // most)
    values = numpy.asarray(image)[::step, ::step].astype("f4")
    return Image.fromarray(
        numpy.clip(values / (257 if values.max() > 255 else 1), 0, 255).astype("u1")
    )
