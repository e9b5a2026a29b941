"""Leaves, flowers and branches as SVG, for designs with plants. Sizes are in page units."""

from __future__ import annotations

import math
from random import Random

from .colour import Palette, mix, oklab
from .shapes import area, circle, data, group, line, move, through


def in_bloom(palette: Palette) -> Palette:
    """The palette for plants: `primary` is its greenest colour, or a green toned by it, for leaves;
    `accent` and `second` are for flowers."""
    p = palette
    green = min((p.primary, p.second, p.accent), key=lambda colour: oklab(colour)[1])
    flowers = [colour for colour in (p.accent, p.primary, p.second) if colour != green]
    if oklab(green)[1] > -0.03:
        green, flowers = mix("#4c7d55", p.primary, 0.12), [p.accent, p.primary]
    return Palette(p.deep, green, flowers[1], flowers[0], p.light)


def leaf(
    x: float,
    y: float,
    angle: float,
    size: float,
    tone: str,
    vein: str,
    bend: float = 0,
    slim: float = 0.25,
) -> str:
    """A leaf that grows from (x, y) in a direction (degrees), its vein in another colour.

    `bend` moves its tip aside and `slim` is half its width, both in sizes.
    """
    wide, tip = slim * size, bend * size
    near, far = 0.25 * size, 0.7 * size
    outline = data(
        "M 0 0 C", near, tip - wide, far, tip - wide, size, tip,
        "C", far, tip + wide, near, tip + wide, 0, 0, "Z",
    )  # fmt: skip
    middle = data("M 0 0 Q", 0.5 * size, 0.9 * tip, 0.92 * size, tip)
    return group(
        (area(outline, tone), line(middle, vein, 0.02 * size)), transform=move(x, y, angle)
    )


def blossom(
    x: float, y: float, size: float, fill: str, heart: str, turn: float = 0, petals: int = 5
) -> str:
    """A flower of round petals, `size` from its middle to a petal's tip."""
    edge, s = mix(fill, heart, 0.35), size
    petal = data(
        "M 0 0 C", 0.75 * s, -0.75 * s, 1.25 * s, -0.35 * s, s, 0,
        "C", 1.25 * s, 0.35 * s, 0.75 * s, 0.75 * s, 0, 0, "Z",
    )  # fmt: skip
    turns = (turn + 360 * k / petals for k in range(petals))
    parts = [
        area(petal, fill, transform=f"rotate({angle:.0f})", stroke=edge, stroke_width=0.03 * s)
        for angle in turns
    ]
    for k in range(9):
        angle = math.tau * k / 9
        parts.append(circle(0.3 * s * math.cos(angle), 0.3 * s * math.sin(angle), 0.06 * s, heart))
    parts.append(circle(0, 0, 0.15 * s, heart))
    return group(parts, transform=move(x, y))


def branch(
    random: Random,
    start: tuple[float, float],
    angle: float,
    length: float,
    size: float,
    palette: Palette,
) -> str:
    """A curved stem from `start` with pairs of leaves of about `size`, and a flower at its end.

    The palette is one `in_bloom`.
    """
    p, parts = palette, []
    (x, y), bend = start, random.uniform(-1.6, 1.6)
    points, steps = [start], 22
    for step in range(steps):
        angle += bend
        x += length / steps * math.cos(math.radians(angle))
        y += length / steps * math.sin(math.radians(angle))
        points.append((x, y))
        if step % 3 == 2 and step < steps - 1:
            long = size * random.uniform(0.85, 1.2) * (1 - 0.4 * step / steps)
            for side in (-1, 1):
                tone = mix(p.primary, random.choice([p.light, p.deep]), random.uniform(0.05, 0.4))
                turn = angle + side * random.uniform(38, 58)
                parts.append(
                    leaf(x, y, turn, long, tone, mix(tone, p.light, 0.4), random.uniform(-0.1, 0.1))
                )
    tone = random.choice([p.accent, mix(p.accent, p.light, 0.45), p.second])
    parts.append(
        blossom(x, y, size * random.uniform(0.65, 0.92), tone, p.deep, random.uniform(0, 72))
    )
    stem = line(through(points), mix(p.primary, p.deep, 0.4), 0.06 * size)
    return stem + "".join(parts)
