"""What a browser draws: web pages and SVG."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from browser import BrowserError, Page, address
from PIL import Image

from sight import SIDE, Sight, Unreadable, Wish
from sight.words import asked, read, told

SECONDS = 25
WINDOW_HEIGHT, SHOWN_HEIGHT = 800, 2000
MOST_PROBLEMS = 5
SVG_SIZE = """(() => {
  const svg = document.documentElement, box = svg.viewBox.baseVal;
  const given = (side) => (side.unitType === 2 ? 0 : side.value);
  return [given(svg.width) || box?.width || 300, given(svg.height) || box?.height || 150];
})()"""
PAGE_SIZE = """[document.title, Math.max(document.documentElement.scrollWidth, innerWidth),
  Math.max(document.documentElement.scrollHeight, innerHeight)]"""


def draw(path: Path, wish: Wish) -> Sight:
    try:
        with Page(wish.width, WINDOW_HEIGHT, SECONDS) as page:
            page.open(address(str(path)), 0.5)
            if wrong := page.evaluate("document.querySelector('parsererror > div')?.textContent"):
                raise Unreadable(f"not well-formed: {wrong.strip()[:200]}")
            return (svg if is_svg(page) else document)(page, wish)
    except BrowserError as error:
        raise Unreadable(f"the browser can't show it: {error}") from None


def is_svg(page: Page) -> bool:
    return page.evaluate("document.documentElement.localName") == "svg"


def svg(page: Page, wish: Wish) -> Sight:
    width, height = page.evaluate(SVG_SIZE)
    if not 0 < width <= 100_000 or not 0 < height <= 100_000:
        raise Unreadable(f"{width} by {height} is no size for a picture")
    # Drawn as large as it is to be seen, whatever size it says.
    scale = min(wish.side() / max(width, height), 8)
    size = [max(1, round(side * scale)) for side in (width, height)]
    page.evaluate(
        "((svg, width, height) => { if (!svg.hasAttribute('viewBox')) svg.setAttribute('viewBox', "
        f"`0 0 {width} {height}`); svg.setAttribute('width', width); svg.setAttribute('height', "
        f"height); }})(document.documentElement, {size[0]}, {size[1]})"
    )
    page.resize(*size)
    words = [] if wish.brief else told(asked(page, 0, 0, *size))
    image = shot(page, 0, 0, *size)
    facts = [f"SVG, {width:g}x{height:g}, {len(page.problems)} problems"]
    return Sight(wish.cut(image), facts + problems(page), words)


def document(page: Page, wish: Wish) -> Sight:
    title, width, height = page.evaluate(PAGE_SIZE)
    pages = -(-height // SHOWN_HEIGHT)
    number = min(wish.page or 1, pages)
    top = (number - 1) * SHOWN_HEIGHT
    shown = (0, top, min(width, 2 * wish.width), min(height - top, SHOWN_HEIGHT))
    scale = min(2, wish.side() / SIDE)
    texts = asked(page, *shown)
    image = wish.cut(shot(page, *shown, scale))
    # What is drawn on a canvas only reading finds.
    words = [] if wish.brief else told(texts or read(image))
    facts = [f"web page “{title[:80]}”, {width}x{height} px in a window {wish.width} wide"]
    if pages > 1:
        facts[0] += f"; part {number} of {pages} (--page N shows another)"
    return Sight(image, facts + problems(page), words)


def problems(page: Page) -> list[str]:
    found = list(dict.fromkeys(page.problems))
    more = [f"and {len(found) - MOST_PROBLEMS} more problems"] * (len(found) > MOST_PROBLEMS)
    return [*found[:MOST_PROBLEMS], *more]


def shot(
    page: Page, left: float, top: float, width: float, height: float, scale: float = 1
) -> Image.Image:
    """A part of what the browser draws, also where its window does not reach."""
    clip = {"x": left, "y": top, "width": width, "height": height, "scale": scale}
    answer = page.send(
        "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip
    )
    return Image.open(io.BytesIO(base64.b64decode(answer["data"]))).convert("RGB")
