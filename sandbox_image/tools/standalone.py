"""standalone PAGE OUT: a page with everything it needs inside, so that it opens alone anywhere.

Prints what could not be put in, a line each. Exit status: 0 all is in, 1 something is not, 2 there
is no page.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from alone.pages import standalone
from alone.places import Files, Missing, Place

MOST_LINES = 40


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="standalone",
        description="Writes a web page with its scripts, styles, fonts, pictures and sounds "
        "inside. Only files below the page's folder are read; libraries of the usual networks come "
        "from this machine as far as it has them.",
    )
    parser.add_argument("page", type=Path, metavar="PAGE.html")
    parser.add_argument("out", type=Path, metavar="OUT.html")
    options = parser.parse_args()
    page, files = options.page.absolute(), Files()
    try:
        text = standalone(Place(page.parent.resolve(), page.name), files)
    except Missing as error:
        print(f"standalone: {options.page}: {error}", file=sys.stderr)
        return 2
    options.out.write_text(text, "utf-8")
    lines = [f"not put in: {address[:200]}: {why}" for address, why in files.missing.items()]
    for line in lines[:MOST_LINES]:
        print(line)
    if len(lines) > MOST_LINES:
        print(f"and {len(lines) - MOST_LINES} more")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
