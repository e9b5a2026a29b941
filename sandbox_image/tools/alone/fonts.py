"""Fonts of Google's network: those letters of the image's own copies that a page may show."""

from __future__ import annotations

import io
import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

from checks.report import run
from fontTools import subset
from fontTools.ttLib import TTFont, TTLibError

from alone.places import Missing, data_address

HOSTS = ("fonts.googleapis.com", "fonts.loli.net", "fonts.font.im", "fonts.googleapis.cn")
FILES = ("fonts.gstatic.com", "gstatic.loli.net")
MOST_FACES = 12
ALWAYS = "".join(map(chr, range(0x20, 0x17F))) + "–—‘’“”…•·€→←↑↓×−"
WEIGHTS = {400: 80, 100: 0, 200: 40, 300: 50, 500: 100, 600: 180, 700: 200, 800: 205, 900: 210}


def is_list(address: str) -> bool:
    """Whether an address is that of a style sheet which names fonts."""
    return (urlsplit(address).hostname or "") in HOSTS


def faces(address: str, letters: str) -> str:
    """The style sheet with the fonts in it; raises Missing when the image has none of them."""
    rules, absent = [], []
    for family, styles in asked(address):
        found = {}
        for weight, italic in styles:
            if file := located(family, weight, italic):
                found.setdefault(file, (weight, italic))
        if not found:
            absent.append(family)
        for (path, index), (weight, italic) in list(found.items())[:MOST_FACES]:
            data = cut(path, index, "".join(sorted(set(letters + ALWAYS))))
            slant = "italic" if italic else "normal"
            rules.append(
                f'@font-face {{ font-family: "{family}"; font-weight: {weight}; '
                f"font-style: {slant}; src: url({data_address(data, 'font/woff2')}); }}"
            )
    if absent and not rules:
        raise Missing(f"the image has no font {', '.join(absent)}")
    return "\n".join(rules)


def asked(address: str) -> list[tuple[str, list[tuple[int, bool]]]]:
    """Families with their weights and whether they are italic, as either form of address says."""
    found = []
    for name, value in parse_qsl(urlsplit(address.replace("&amp;", "&")).query):
        for part in value.split("|") if name == "family" else ():
            family, _, how = part.partition(":")
            if re.fullmatch(r"[\w .'-]{1,60}", family):
                found.append((family, styles(how)))
    return found[:MOST_FACES]


def styles(how: str) -> list[tuple[int, bool]]:
    axes, _, values = how.partition("@")
    if not values:  # the old form: 400,700italic
        parts = re.findall(r"(\d{3})?(i(?:talic)?)?(?:,|$)", how)
        return [(int(w or 400), bool(i)) for w, i in parts if w or i] or [(400, False)]
    order = axes.split(",")
    found = []
    for value in values.split(";"):
        given = dict(zip(order, value.split(","), strict=False))
        # A range is served by its ends; those in between follow.
        weights = [int(w) for w in re.findall(r"\d+", given.get("wght", "400"))] or [400]
        found += [(weight, given.get("ital") == "1") for weight in weights]
    return found


@cache
def located(family: str, weight: int, italic: bool) -> tuple[str, int] | None:
    """The file and the number in it of the nearest style of exactly this family."""
    fc = WEIGHTS.get(round(weight, -2), 80)
    pattern = f"{family}:weight={fc}:slant={100 if italic else 0}"
    told = run("fc-match", "-f", "%{family}\t%{file}\t%{index}", pattern, seconds=10).stdout
    names, _, rest = told.partition("\t")
    path, _, index = rest.partition("\t")
    wanted = (
        family.casefold()
        .replace("noto sans sc", "noto sans cjk sc")
        .replace("noto serif sc", "noto serif cjk sc")
    )
    if wanted not in [name.casefold() for name in names.split(",")]:
        return None
    return path, int(index or 0) & 0xFFFF


@cache
def cut(path: str, index: int, letters: str) -> bytes:
    """A font with some of its letters."""
    try:
        font = TTFont(path, fontNumber=index, lazy=True)
        options = subset.Options(flavor="woff2", layout_features=["*"], notdef_outline=True)
        cutter = subset.Subsetter(options)
        cutter.populate(text=letters)
        cutter.subset(font)
        buffer = io.BytesIO()
        font.flavor = "woff2"
        font.save(buffer)
    except (TTLibError, OSError) as error:
        raise Missing(f"the font can't be put in: {error}") from None
    return buffer.getvalue()
