"""look FILE: what a file looks like, as a picture for those who see and in words for all.

Exit status: 0 there is a picture, 2 there is none.
"""

from __future__ import annotations

import argparse
import signal
import sys
from importlib import import_module
from pathlib import Path

from sight import Sight, Unreadable, Wish
from sight.digest import digest
from sight.kept import keep

SECONDS = 50
HEAD = 4096
# The modules of `sight`, by what a file begins with.
MAGIC = {
    "still": (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\1\0"),
    "paper": (b"%PDF",),
    "film": (
        *(b"\x1aE\xdf\xa3", b"FLV", b"\0\0\1\xba", b"OggS", b"ID3", b"fLaC", b"FORM"),
        *(b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xf1", b"\xff\xf9"),
    ),
    "notes": (b"MThd",),
}
INSIDE_RIFF = {b"WEBP": "still", b"WAVE": "film", b"AVI ": "film"}
STILLS = (b"avif", b"avis")
PAGES, PAGE_SUFFIXES = (b"<svg", b"<!doctype html", b"<html"), (".svg", ".html", ".htm", ".xhtml")


def medium(path: Path) -> str:
    """The module for a file, by what it holds; empty for one that cannot be seen."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head[:4] == b"RIFF":
        return INSIDE_RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return "still" if head[8:12] in STILLS else "film"
    if found := next((name for name, starts in MAGIC.items() if head.startswith(starts)), ""):
        return found
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    page = path.suffix.lower() in PAGE_SUFFIXES or start.startswith(PAGES)
    return "screen" if page else ""


def look(path: Path, wish: Wish) -> Sight:
    """What there is to see of one file; raises Unreadable."""
    if not path.is_file():
        raise Unreadable("no such file")
    if path.stat().st_size == 0:
        raise Unreadable("the file is empty")
    name = medium(path)
    if not name:
        raise Unreadable("no picture, page, video, sound or PDF; `check` tells what it is")
    # Together they would take long to import.
    return import_module(f"sight.{name}").draw(path, wish)


def part(value: str) -> tuple[float, ...]:
    edges = tuple(float(edge) for edge in value.split(","))
    left, top, right, bottom = edges
    if not (0 <= left < right <= 100 and 0 <= top < bottom <= 100):
        raise ValueError
    return edges


def late(*_: object) -> None:
    raise Unreadable(f"it could not be drawn within {SECONDS} s")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="look",
        description="Shows a picture, web page, SVG, PDF, video, sound or MIDI file: the picture "
        "to a model that sees, and in words its size, colours, where something is and its text. "
        "A video is shown as six frames, a PDF as its first six pages.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="one frame of a video")
    parser.add_argument("--page", type=int, metavar="N", help="one page, from 1")
    parser.add_argument("--width", type=int, default=1280, help="of the window for a web page")
    parser.add_argument(
        "--part",
        type=part,
        default=(0, 0, 100, 100),
        metavar="LEFT,TOP,RIGHT,BOTTOM",
        help="a part of it, closer; in percent: 50,0,100,50 is the quarter at the top right",
    )
    parser.add_argument("--brief", action="store_true", help="do not look for text")
    options = parser.parse_args()
    if not 100 <= options.width <= 4000:
        parser.error("--width is between 100 and 4000")
    if min(options.at or 0, (options.page or 1) - 1) < 0:
        parser.error("--at and --page are not negative, pages begin at 1")
    wish = Wish(options.at, options.page, options.width, options.part, options.brief)
    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        sight = look(options.file, wish)
        lines = [f"{options.file}: {sight.facts[0]}", *sight.facts[1:]]
        lines += [] if sight.plain else digest(sight.image)
        lines += sight.words
        lines.append(keep(sight.image, options.file.name))
    except Unreadable as error:
        print(f"look: {options.file}: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"look: {options.file}: there is not enough memory to draw it", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
