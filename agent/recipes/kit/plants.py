"""Leaves, flowers and branches as SVG, for designs with plants. Sizes are in page units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from .colour import Palette, mix, oklab


def path(points: Sequence[tuple[float, float]], close: str = "") -> str:
    """Path data through the points."""
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + close


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
    outline = (
        f"M0 0C{0.25 * size:.2f} {tip - wide:.2f} {0.7 * size:.2f} {tip - wide:.2f} {size:.2f} {tip:.2f}"
        f"C{0.7 * size:.2f} {tip + wide:.2f} {0.25 * size:.2f} {tip + wide:.2f} 0 0Z"
    )
    return (
        f'<g transform="translate({x:.2f} {y:.2f}) rotate({angle:.0f})">'
        f'<path d="{outline}" fill="{tone}"/>'
        f'<path d="M0 0Q{0.5 * size:.2f} {tip * 0.9:.2f} {0.92 * size:.2f} {tip:.2f}" fill="none"'
        f' stroke="{vein}" stroke-width="{0.02 * size:.3f}"/></g>'
    )


def blossom(
    x: float, y: float, size: float, fill: str, heart: str, turn: float = 0, petals: int = 5
) -> str:
    """A flower of round petals, `size` from its middle to a petal's tip."""
    edge, s = mix(fill, heart, 0.35), size
    petal = (
        f"M0 0C{0.75 * s:.2f} {-0.75 * s:.2f} {1.25 * s:.2f} {-0.35 * s:.2f} {s:.2f} 0"
        f"C{1.25 * s:.2f} {0.35 * s:.2f} {0.75 * s:.2f} {0.75 * s:.2f} 0 0Z"
    )
    parts = [
        f'<path d="{petal}" transform="rotate({turn + 360 * k / petals:.0f})" fill="{fill}"'
        f' stroke="{edge}" stroke-width="{0.03 * s:.3f}"/>'
        for k in range(petals)
    ]
    for k in range(9):
        dx, dy = 0.3 * s * math.cos(math.tau * k / 9), 0.3 * s * math.sin(math.tau * k / 9)
        parts.append(f'<circle cx="{dx:.2f}" cy="{dy:.2f}" r="{0.06 * s:.3f}" fill="{heart}"/>')
    parts.append(f'<circle r="{0.15 * s:.2f}" fill="{heart}"/>')
    return f'<g transform="translate({x:.2f} {y:.2f})">{"".join(parts)}</g>'


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
    stem = mix(p.primary, p.deep, 0.4)
    return (
        f'<path d="{path(points)}" fill="none" stroke="{stem}" stroke-width="{0.06 * size:.2f}"'
        f' stroke-linecap="round"/>{"".join(parts)}'
    )
