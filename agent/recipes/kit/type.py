"""Type: the image's fonts by role, true widths, fitting, and line breaking in English and Chinese.

Sizes, widths and positions share one unit, whichever the page uses (mm, px, points).
Widths come from HarfBuzz through Pillow, the same shaping that librsvg and Chromium use, so what
is measured here is what is drawn there.
"""

from __future__ import annotations

import functools
import math
import re
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


# ------------------------------------------------------------------------------- line breaking

_NEVER_FIRST = set("，。、；：？！）》」』】〉”’…—·％%),.;:?!]}")
_NEVER_LAST = set("（《「『【〈“‘([{")
_CLINGS = re.compile(r"(?i)(a|an|the|of|in|on|at|to|for|and|or|with|by|from|our|my|your|&|–|—)$")
_COUNTED = re.compile(r"[\d第一二三四五六七八九十几百][届年月日号点时位个岁季期周]")
_PARTICLES = set("的了吧吗呢们里上下中之着过与和及")


@dataclass(frozen=True)
class _Piece:
    """What is never cut; `space` before it; what it costs (0 fine – 1 ugly) to begin a line."""

    text: str
    space: str
    cost: float


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    run = 0
    for match in re.finditer(r"(\s*)(\S)", text):
        space, char = " " if match[1] else "", match[2]
        before = pieces[-1].text if pieces else ""
        last = before[-1:]
        glued = (
            char in _NEVER_FIRST
            or last in _NEVER_LAST
            or (last.isdigit() and _COUNTED.match(last + char))
            or not (is_cjk(char) or is_cjk(last or " ") or last in "-–—/" or space)
        )
        if before and not space and glued:
            pieces[-1] = _Piece(before + char, pieces[-1].space, pieces[-1].cost)
            run = 0 if is_cjk(char) else run
            continue
        if space:
            cost = 0.35 if _CLINGS.search(before) else 0.0
        elif last and is_cjk(char) and is_cjk(last) and last not in _NEVER_FIRST:
            # Most Chinese words have two characters: prefer to cut after an even number of them.
            cost = (
                1.2
                if char in _PARTICLES or _COUNTED.match(last + char)
                else (1.0 if run % 2 else 0.4)
            )
        else:
            cost = 0.0 if last in _NEVER_FIRST or last in "-–—/" else 0.4
        run = 0 if last in _NEVER_FIRST or space or not is_cjk(last or "a") else run
        # After 的, and after a counted word such as 6岁, a new word begins.
        counted = _COUNTED.match(last + char)
        run = run + 1 if is_cjk(char) and char != "的" and not counted else 0
        pieces.append(_Piece(char, space, cost))
    return pieces


def _join(pieces: Sequence[_Piece]) -> str:
    return "".join((p.space if i else "") + p.text for i, p in enumerate(pieces))


def _break(text: str, face: Face, lines: int, tracking: float) -> tuple[float, list[str]]:
    """Exactly `lines` lines as equal as can be, in ems: (ugliness, lines); fewer if too short."""
    pieces = _pieces(text)
    count = len(pieces)
    lines = min(lines, count)
    widths: dict[tuple[int, int], float] = {}

    def width(i: int, j: int) -> float:
        if (i, j) not in widths:
            widths[i, j] = face.width(_join(pieces[i:j]), 1, tracking)
        return widths[i, j]

    target = width(0, count) / max(1, lines)
    best: dict[tuple[int, int], tuple[float, int]] = {(0, 0): (0.0, 0)}
    for row in range(1, lines + 1):
        for j in range(row, count - (lines - row) + 1):
            for i in range(row - 1, j):
                if (row - 1, i) not in best:
                    continue
                uneven = (width(i, j) / target - 1) ** 2
                cost = best[row - 1, i][0] + uneven + (pieces[i].cost if i else 0) * 0.6
                if (row, j) not in best or cost < best[row, j][0]:
                    best[row, j] = (cost, i)
    cuts, j = [], count
    for row in range(lines, 0, -1):
        i = best[row, j][1]
        cuts.append(_join(pieces[i:j]))
        j = i
    return best[lines, count][0], cuts[::-1]


@dataclass(frozen=True)
class Setting:
    """Text broken into lines at a size; `leading` is the distance of baselines."""

    lines: list[str]
    size: float
    leading: float

    @property
    def height(self) -> float:
        """From the top of the first line's em to the foot of the last, about what is printed."""
        return self.leading * (len(self.lines) - 1) + self.size


def fit(
    text: str,
    face: Face,
    width: float,
    height: float,
    largest: float,
    *,
    spacing: float = 1.12,
    most_lines: int = 6,
    tracking: float = 0,
) -> Setting:
    """A title as large as the box allows, on well-balanced lines.

    `largest` caps the size, `spacing` is leading per size, `tracking` in ems. A break in the text
    (`\\n`) is kept. Never fails: a very long text simply becomes small.
    """
    rows = [row for row in text.split("\n") if row.strip()] or [""]
    choices: list[tuple[float, Setting]] = []
    for count in range(1, most_lines + 1):
        ugliness = 0.0
        lines: list[str] = []
        for row in rows:
            cost, cut = _break(row, face, count, tracking) if row else (0.0, [""])
            ugliness += cost
            lines += cut
        widest = max(face.width(line, 1, tracking) for line in lines) or 1
        deep = spacing * (len(lines) - 1) + 1
        size = min(width / widest, height / deep, largest)
        # A title on fewer lines reads better than one a little larger; a bad break is worse.
        merit = size * (1 - min(0.5, 0.4 * ugliness)) * (0.94 ** (len(lines) - 1))
        choices.append((merit, Setting(lines, size, size * spacing)))
    return max(choices, key=lambda choice: choice[0])[1]


def wrap(text: str, face: Face, size: float, width: float, *, spacing: float = 1.4) -> Setting:
    """A paragraph at a given size, on the fewest lines that fit `width`, evenly filled.

    A word wider than the line is cut. Breaks in the text are kept.
    """
    lines: list[str] = []
    for row in text.split("\n"):
        pieces = [part for piece in _pieces(row) for part in _cut(piece, face, size, width)]
        count = len(pieces)
        if not count:
            continue
        best: list[tuple[float, int]] = [(0.0, 0)] + [(math.inf, 0)] * count
        for j in range(1, count + 1):
            for i in range(j - 1, -1, -1):
                used = face.width(_join(pieces[i:j]), size)
                if used > width and i < j - 1:
                    break
                slack = (width - used) / width
                last = j == count
                cost = best[i][0] + 1 + (0.15 * slack if last else slack**2)
                cost += (pieces[i].cost if i else 0) * 0.4
                cost += 0.4 if last and i and i == j - 1 else 0  # a last line of one word
                if cost < best[j][0]:
                    best[j] = (cost, i)
        cuts, j = [], count
        while j:
            i = best[j][1]
            cuts.append(_join(pieces[i:j]))
            j = i
        lines += cuts[::-1]
    return Setting(lines, size, size * spacing)


def _cut(piece: _Piece, face: Face, size: float, width: float) -> list[_Piece]:
    if face.width(piece.text, size) <= width:
        return [piece]
    parts: list[_Piece] = []
    text = ""
    for char in piece.text:
        if text and face.width(text + char, size) > width:
            parts.append(_Piece(text, piece.space if not parts else "", 1.0))
            text = ""
        text += char
    return [*parts, _Piece(text, piece.space if not parts else "", 1.0)]


# ---------------------------------------------------------------------------------- vertical

_VERTICAL = str.maketrans(
    "（）《》「」『』【】〈〉—…：；，。、！？", "︵︶︽︾﹁﹂﹃﹄︻︼︿﹀︱︙︓︔︐︒︑︕︖"
)


def vertical(text: str) -> str:
    """The text for a column: punctuation in its vertical forms, spaces dropped."""
    return re.sub(r"\s+", "", text).translate(_VERTICAL)


_DIGITS = str.maketrans("0123456789", "〇一二三四五六七八九")


def chinese_number(number: int) -> str:
    """0–99 as it is read: 16 → 十六."""
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else ("十" if tens == 1 else str(tens).translate(_DIGITS) + "十")
    return head + (str(ones).translate(_DIGITS) if ones or not tens else "")


def chinese_date(text: str) -> str:
    """`2027年2月16日` → `二〇二七年二月十六日`, as a vertical line wants it."""
    text = re.sub(r"\d{4}(?=年)", lambda m: m[0].translate(_DIGITS), text)
    return re.sub(r"\d{1,2}(?=[月日时点分号])", lambda m: chinese_number(int(m[0])), text)
