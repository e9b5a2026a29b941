"""shoot PAGE OUT.png|OUT.pdf: what a web page looks like, and what went wrong in it.

Prints console errors, uncaught exceptions and failed requests, then the picture in words.
Exit status: 0 fine, 1 the page has problems, 2 there is no picture.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from browser import BrowserError, Page, address
from PIL import Image
from sight import MOST_PIXELS
from sight.digest import digest
from sight.kept import keep


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="shoot",
        description="Draws a web page (a file or a URL) to a PNG, or prints it to a PDF on the "
        "paper of its @page rule; reports console errors and failed requests.",
    )
    parser.add_argument("page", help="file or URL; FILE.html?query works")
    parser.add_argument("out", type=Path, help="OUT.png or OUT.pdf")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--scale", type=float, default=1, help="pixels for each CSS pixel")
    parser.add_argument("--full", action="store_true", help="the whole page, not just a window")
    parser.add_argument("--wait", type=int, default=300, help="ms to wait after loading")
    parser.add_argument("--timeout", type=float, default=30, help="seconds in all")
    parser.add_argument("--js", help="JavaScript to run before the picture; prints its value")
    options = parser.parse_args()
    if options.out.suffix.lower() not in (".png", ".pdf"):
        parser.error("OUT must end in .png or .pdf")
    try:
        with Page(options.width, options.height, options.timeout) as page:
            page.open(address(options.page), options.wait / 1000)
            if options.js:
                print(page.evaluate(options.js))
                page.evaluate("new Promise(done => requestAnimationFrame(() => done(true)))")
            if options.out.suffix.lower() == ".pdf":
                data = page.pdf()
            else:
                data = page.picture(options.scale, options.full)
            options.out.write_bytes(data)
    except BrowserError as error:
        print(f"shoot: {error}", file=sys.stderr)
        return 2
    for problem in page.problems:
        print(problem)
    print(f"{options.out}: {len(data):,} bytes, {len(page.problems)} problems in the page")
    if options.out.suffix.lower() == ".png":
        print("\n".join(seen(data, options.out.name)))
    return 1 if page.problems else 0


def seen(data: bytes, name: str) -> list[str]:
    """The picture in words, and where it is for those who see."""
    image = Image.open(io.BytesIO(data))
    if image.width * image.height > MOST_PIXELS:
        return []
    image = image.convert("RGB")
    return [*digest(image), keep(image, name)]


if __name__ == "__main__":
    sys.exit(main())
