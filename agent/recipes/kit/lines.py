"""Lines: titles that fill their box and paragraphs, broken in English and in Chinese.

Sizes and widths share one unit, whichever the page uses (mm, px, points).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .type import Face, is_cjk

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
