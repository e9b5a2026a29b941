"""The picture on a file's card, and its few pixels that are shown before it is there."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image, ImageOps

SIDE, MOST_BYTES = 640, 200_000
# What sites show beside a link to it.
WIDE, EDGE = (1200, 630), 0.62
BLUR_SIDE, BLUR_CHARACTERS = 20, 1500
QUALITIES = (86, 78, 68, 55, 40, 25)


def poster(image: Image.Image, into: Path) -> dict:
    """Writes the poster of a picture without transparency; what is told of it."""
    image = image.copy() if image.mode == "RGB" else image.convert("RGB")
    large = kept(broadened(image), into, "wide")
    image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS, reducing_gap=3)
    return {"previews": [kept(image, into, "poster"), large], "blur": blur(image)}


def kept(image: Image.Image, into: Path, role: str) -> dict:
    """Writes a picture, as good as its bytes allow; what is told of it."""
    for quality in QUALITIES:
        data = jpeg(image, quality)
        if len(data) <= MOST_BYTES:
            break
    (into / f"{role}.jpg").write_bytes(data)
    return {"role": role, "file": f"{role}.jpg", "width": image.width, "height": image.height}


def broadened(image: Image.Image) -> Image.Image:
    """The whole picture on a ground of its own colours, as broad as links are shown."""
    few = ImageOps.fit(image, (BLUR_SIDE, BLUR_SIDE // 2), Image.Resampling.BOX)
    board = few.point(lambda value: round(value * EDGE)).resize(WIDE, Image.Resampling.BICUBIC)
    # A small one stays sharp.
    scale = min(2, WIDE[0] / image.width, WIDE[1] / image.height)
    size = [max(1, round(side * scale)) for side in image.size]
    whole = image.resize(size, Image.Resampling.LANCZOS)
    board.paste(whole, [(room - side) // 2 for room, side in zip(WIDE, size, strict=True)])
    return board


def blur(image: Image.Image) -> str:
    scale = BLUR_SIDE / max(image.size)
    small = image.resize(
        [max(1, round(side * scale)) for side in image.size], Image.Resampling.BOX, reducing_gap=2
    )
    for quality in QUALITIES:
        data = base64.b64encode(jpeg(small, quality)).decode()
        if len(data) <= BLUR_CHARACTERS - 30:
            return f"data:image/jpeg;base64,{data}"
    return ""


def jpeg(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality, optimize=True, comment=b"")
    return buffer.getvalue()


def over(image: Image.Image, ground: str = "white") -> Image.Image:
    """A picture on a ground of one colour where it is transparent."""
    if image.mode != "RGBA":
        return image.convert("RGB")
    board = Image.new("RGB", image.size, ground)
    board.paste(image, mask=image.getchannel("A"))
    return board
