"""Type: the image's fonts by role, and their true widths.

Sizes, widths and positions share one unit, whichever the page uses (mm, px, points).
Widths come from HarfBuzz through Pillow, the same shaping that librsvg and Chromium use, so what
is measured here is what is drawn there.
"""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PIL import ImageFont

Role = Literal["serif", "sans", "display", "round", "script", "hand", "kai"]

# The first family that is installed wins; the last of each row is always there.
_LATIN: dict[Role, tuple[str, ...]] = {
    "serif": ("EB Garamond", "Noto Serif", "DejaVu Serif"),
    "sans": ("Lato", "Noto Sans", "DejaVu Sans"),
    "display": ("Bebas Neue", "Lato", "Noto Sans", "DejaVu Sans"),
    "round": ("Quicksand", "Lato", "Noto Sans", "DejaVu Sans"),
    "script": ("Lobster Two", "EB Garamond", "Noto Serif", "DejaVu Serif"),
    "hand": ("Caveat", "Lobster Two", "EB Garamond", "Noto Serif", "DejaVu Serif"),
    "kai": ("EB Garamond", "Noto Serif", "DejaVu Serif"),
}
_CJK: dict[Role, tuple[str, ...]] = {
    "serif": ("Noto Serif CJK SC", "Noto Sans CJK SC"),
    "sans": ("Noto Sans CJK SC",),
    "display": ("Noto Sans CJK SC",),
    "round": ("Resource Han Rounded CN", "WenQuanYi Zen Hei", "Noto Sans CJK SC"),
    "script": ("LXGW WenKai", "Noto Serif CJK SC"),
    "hand": ("LXGW WenKai", "Noto Serif CJK SC"),
    "kai": ("LXGW WenKai", "AR PL UKai CN", "Noto Serif CJK SC"),
}
_MEASURE = 1000
"""Pixels at which fonts are measured: large enough that hinting and rounding vanish."""


@dataclass(frozen=True)
class Font:
    """One installed font file; `index` is the face in a collection."""

    family: str
    file: str
    index: int

    @functools.cached_property
    def _face(self) -> ImageFont.FreeTypeFont:
        return _open(self.file, self.index)

    def width(self, text: str, size: float) -> float:
        return self._face.getlength(text) * size / _MEASURE

    def ink(self, text: str, size: float) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is printed, from the start of the baseline."""
        left, top, right, bottom = self._face.getbbox(text, anchor="ls")
        scale = size / _MEASURE
        return left * scale, top * scale, right * scale, bottom * scale


@functools.cache
def _open(file: str, index: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, _MEASURE, index=index)


@functools.cache
def _installed(family: str, weight: int, italic: bool) -> Font | None:
    """fontconfig's best face of exactly this family; None if its bold would be faked."""
    fc_weight = {300: 50, 400: 80, 500: 100, 600: 180, 700: 200, 800: 205, 900: 210}[weight]
    pattern = f"{family}:weight={fc_weight}:slant={100 if italic else 0}"
    answer = subprocess.run(
        ["fc-match", "-f", "%{family}\n%{file}\n%{index}\n%{embolden}", pattern],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    if family not in answer[0].split(",") or answer[3] == "True":
        return None
    return Font(family, answer[1], int(answer[2]))


@dataclass(frozen=True)
class Face:
    """A typeface for a text: a Latin and a Chinese font that go together.

    In a Chinese text everything is set in the Chinese font, so that quotation marks and figures
    fit; in any other the Latin font comes first, and the Chinese one serves what it lacks.
    """

    latin: Font
    chinese: Font
    lang: str
    weight: int
    italic: bool

    @property
    def families(self) -> tuple[str, ...]:
        first, then = (
            (self.chinese, self.latin) if self.lang == "zh" else (self.latin, self.chinese)
        )
        return first.family, then.family

    def runs(self, text: str) -> list[tuple[Font, str]]:
        """The text cut where the font changes."""
        pieces: list[tuple[Font, str]] = []
        for char in text:
            chinese = self.lang == "zh" or is_cjk(char)
            font = self.chinese if chinese else self.latin
            if pieces and pieces[-1][0] is font:
                pieces[-1] = (font, pieces[-1][1] + char)
            else:
                pieces.append((font, char))
        return pieces

    def width(self, text: str, size: float, tracking: float = 0) -> float:
        """Advance width; `tracking` is added between characters."""
        total = sum(font.width(piece, size) for font, piece in self.runs(text))
        return total + tracking * max(0, len(text) - 1)

    def ink(self, text: str, size: float, tracking: float = 0) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is printed, from the start of the baseline."""
        x = 0.0
        boxes: list[tuple[float, float, float, float]] = []
        for font, piece in self.runs(text):
            left, top, right, bottom = font.ink(piece, size)
            boxes.append((x + left, top, x + right, bottom))
            x += font.width(piece, size)
        if not boxes:
            return 0.0, 0.0, 0.0, 0.0
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights) + tracking * (len(text) - 1), max(bottoms)

    def cap(self, size: float) -> float:
        """Height of capitals, or of a Chinese character above the baseline."""
        return -self.ink("国" if self.lang == "zh" else "H", size)[1]


@functools.cache
def face(role: Role, lang: str = "en", weight: int = 400, italic: bool = False) -> Face:
    """The typeface for a role. `weight` is 300–900 in hundreds; the nearest installed is used."""
    return Face(
        _first(_LATIN[role], weight, italic),
        _first(_CJK[role], weight, False),
        lang,
        weight,
        italic,
    )


def _first(families: Sequence[str], weight: int, italic: bool) -> Font:
    for family in families:
        if font := _installed(family, weight, italic):
            return font
    raise LookupError(f"none of these fonts is installed: {', '.join(families)}")


def is_cjk(char: str) -> bool:
    """Whether a character is Chinese (or Japanese, Korean) or full-width punctuation."""
    return (
        0x2E80 <= ord(char) <= 0xD7FF
        or 0xF900 <= ord(char) <= 0xFAFF
        or (0xFE30 <= ord(char) <= 0xFFEF or 0x20000 <= ord(char) <= 0x3FFFF)
    )
