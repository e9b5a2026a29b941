"""SVG, drawn as the picture that it is in a page: it runs nothing and loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from lxml import etree

from previews import Subject, Unreadable
from previews.poster import SIDE, poster
from previews.screen import typeset

SECONDS = 30
IMAGE = "const image = document.images[0]; image.decode().then(() => true)"
PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96}


def show(subject: Subject) -> Iterator[dict]:
    width, height = size(subject)
    yield {"width": round(width), "height": round(height)}
    scale = SIDE / max(width, height)
    shown = (max(1, round(width * scale)), max(1, round(height * scale)))
    # Small windows are drawn as they are asked for, tiny ones are not.
    body = (
        f'<img class="whole" width="{shown[0]}" height="{shown[1]}" '
        f'src="{escape(quote(subject.path.name))}">'
    )
    seconds = min(SECONDS, subject.seconds)
    image = typeset(subject.path.parent, body, seconds, size=shown, scale=1, until=IMAGE)
    yield poster(image, subject.into)


def size(subject: Subject) -> tuple[float, float]:
    """Its width and height in CSS pixels, from what its outermost element says."""
    parser = etree.iterparse(
        str(subject.path), events=("start",), resolve_entities=False, no_network=True
    )
    try:
        _, root = next(iter(parser))
    except (etree.XMLSyntaxError, OSError, StopIteration) as error:
        raise Unreadable(f"not well-formed: {error}") from None
    box = [float(n) for n in re.findall(r"-?[\d.]+(?:e-?\d+)?", root.get("viewBox", ""))[:4]]
    across, down = (length(root.get(side, "")) for side in ("width", "height"))
    if len(box) == 4 and box[2] > 0 and box[3] > 0:
        across = across or (down * box[2] / box[3] if down else box[2])
        down = down or across * box[3] / box[2]
    across, down = across or 300.0, down or 150.0
    if not (0.01 <= across <= 1e6 and 0.01 <= down <= 1e6):
        raise Unreadable(f"{across:g} by {down:g} is no size for a picture")
    return across, down


def length(value: str) -> float:
    """In CSS pixels; 0 for a percentage, or what is no length."""
    found = re.fullmatch(r"\s*([\d.]+(?:e-?\d+)?)\s*([a-z]*)\s*", value, re.IGNORECASE)
    if not found or found[2].lower() not in PIXELS:
        return 0.0
    try:
        return float(found[1]) * PIXELS[found[2].lower()]
    except ValueError:
        return 0.0
