"""The stage of a film and what any of them may have: a still background, rays, lights.

Every element is a function that returns `draw(c, t)`; `t` is seconds from the start.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import cairo
from make_draw import TAU, glow, paint, radial


@dataclass
class Stage:
    width: int
    height: int
    reveal: float
    duration: float
    palette: tuple
    dice: random.Random = field(repr=False)

    @property
    def u(self):
        return min(self.width, self.height) / 1080

    @property
    def wide(self):
        return self.width > self.height * 1.2

    def colour(self, k):
        return self.palette[k % len(self.palette)]


def picture(surface):
    """A still background."""

    def draw(c, t):
        c.set_source_surface(surface)
        c.get_source().set_filter(cairo.FILTER_FAST)
        c.paint()

    return draw


def rays(stage, x, y, colour, strength=0.3, count=14, turning=0.12):
    """Beams that turn slowly about x, y."""
    reach = math.hypot(stage.width, stage.height)

    def draw(c, t):
        for k in range(count):
            start = t * turning + k * TAU / count
            c.move_to(x, y)
            for edge in (start, start + TAU / count * 0.5):
                c.line_to(x + reach * math.cos(edge), y + reach * math.sin(edge))
            c.close_path()
        c.set_source(radial(x, y, 0, reach * 0.62, (0, colour, strength), (1, colour, 0.0)))
        c.fill()

    return draw


def bokeh(stage, colours, count=22, strength=0.2, low=24, high=90, rise=14):
    """Discs of light out of focus that drift upwards."""
    discs = []
    for _ in range(count):
        radius = stage.dice.uniform(low, high) * stage.u
        discs.append(
            (
                glow(radius, stage.dice.choice(colours), stage.dice.choice((0.35, 0.5, 1.2))),
                stage.dice.random() * stage.width,
                stage.dice.random() * (stage.height + 300),
                stage.dice.uniform(0.5, 1.5) * rise * stage.u,
                stage.dice.random() * TAU,
            )
        )

    def draw(c, t):
        for sprite, x, y, speed, phase in discs:
            high_y = (y - speed * t) % (stage.height + 300) - 150
            shine = strength * (0.65 + 0.35 * math.sin(t * 1.1 + phase))
            paint(c, sprite, x + 30 * stage.u * math.sin(t * 0.4 + phase), high_y, alpha=shine)

    return draw
