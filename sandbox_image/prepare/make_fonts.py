"""Turns the web fonts of Fontsource packages into TrueType files that every program reads.

python3 make_fonts.py NODE_MODULES OUT_FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

# Package, family, the subset files to merge (first wins), weights.
FAMILIES = (
    ("zcool-kuaile", "ZCOOL KuaiLe", ("latin", "chinese-simplified"), (400,)),
    ("m-plus-rounded-1c", "M PLUS Rounded 1c", ("latin", "japanese"), (500,)),
    ("caveat", "Caveat", ("latin", "latin-ext"), (400, 700)),
    ("playfair-display", "Playfair Display", ("latin", "latin-ext"), (400, 700, 900)),
    ("fredoka", "Fredoka", ("latin", "latin-ext"), (400, 600)),
)
STYLES = {400: "Regular", 500: "Medium", 600: "SemiBold", 700: "Bold", 900: "Black"}


def name(font: TTFont, family: str, weight: int) -> None:
    """Names the face so that `family` plus a weight finds it (the web files' names vary)."""
    style = STYLES[weight]
    table = font["name"]
    table.names = [record for record in table.names if record.nameID not in (1, 2, 4, 6, 16, 17)]
    # Family 1 may hold regular and bold only; 16 and 17 are for programs that know more.
    plain = style in ("Regular", "Bold")
    names = {1: family if plain else f"{family} {style}", 2: style if plain else "Regular"}
    names |= {4: f"{family} {style}", 6: f"{family}-{style}".replace(" ", "")}
    names |= {16: family, 17: style}
    for number, text in names.items():
        table.setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight


def main() -> None:
    modules, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True)
    for package, family, subsets, weights in FAMILIES:
        files = modules / "@fontsource" / package / "files"
        for weight in weights:
            sources = []
            for subset in subsets:
                font = TTFont(files / f"{package}-{subset}-{weight}-normal.woff2")
                font.flavor = None
                sources.append(out / f"{subset}.part")
                font.save(sources[-1])
            merged = Merger().merge([str(path) for path in sources])
            name(merged, family, weight)
            merged.save(out / f"{family.replace(' ', '')}-{STYLES[weight]}.ttf")
            for path in sources:
                path.unlink()


if __name__ == "__main__":
    main()
