"""Drawing with a browser what is not drawn yet."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from browser import BrowserError
from PIL import Image
from served import ORIGIN, ServedPage

from previews import Unreadable

# A name that files rarely have.
FRAME = ".frame.html"
STYLE = Path(__file__).with_name("screen.css").read_text("utf-8")
DOCUMENT = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<style>{style}</style><body>{body}"""
# What is shown is text of others: it may load pictures that lie beside it, and do nothing.
PASSIVE = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'"


@contextmanager
def served(
    folder: Path,
    size: tuple[int, int],
    seconds: float,
    more: Mapping[str, bytes | Path] | None = None,
) -> Iterator[ServedPage]:
    """A browser for one page; raises Unreadable for what it cannot show."""
    try:
        with ServedPage(folder, size, seconds, more) as page:
            yield page
    except BrowserError as error:
        raise Unreadable(f"the browser can't show it: {error}") from None


def address(name: str) -> str:
    return ORIGIN + quote(name)


def typeset(
    folder: Path,
    body: str,
    seconds: float,
    *,
    size: tuple[int, int] = (400, 250),
    scale: float = 1.6,
    policy: str = PASSIVE,
    more: Mapping[str, bytes | Path] | None = None,
    until: str = "",
) -> Image.Image:
    """HTML as a picture; names in it are files below `folder`. `until` is JavaScript to await."""
    document = DOCUMENT.format(policy=policy, style=STYLE, body=body).encode()
    with served(folder, size, seconds, {**(more or {}), FRAME: document}) as page:
        page.resize(*size, scale)
        page.open(address(FRAME), 0)
        if until:
            page.evaluate(until)
        return picture(page)


def picture(page: ServedPage) -> Image.Image:
    """The window as it is."""
    shot = page.send("Page.captureScreenshot", format="png")
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
