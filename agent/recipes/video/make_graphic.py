"""Graphic furniture: streaks, bands and shapes, and twigs in blossom."""

from __future__ import annotations

import math

import cairo
from make_draw import TAU, WHITE, canvas, linear, mix, radial, settle, shadowed, smooth
from make_stage import picture


def speed_lines(stage, colours, count=34):
    """Slanted streaks that shoot across, as in a sports opener."""
    dice, u = stage.dice, stage.u
    streaks = [
        (
            dice.random(),
            dice.random(),
            dice.uniform(240, 900) * u,
            dice.uniform(900, 2400) * u,
            dice.uniform(3, 15) * u,
            dice.choice(colours),
            dice.uniform(0.15, 0.6),
        )
        for _ in range(count)
    ]
    reach = math.hypot(stage.width, stage.height) + 900 * u

    def draw(c, t):
        c.save()
        c.translate(stage.width / 2, stage.height / 2)
        c.rotate(-0.32)
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        for place, lane, length, pace, thick, colour, alpha in streaks:
            x = (place * reach + pace * t) % reach - reach / 2
            y = (lane - 0.5) * reach
            c.move_to(x - length, y)
            c.line_to(x, y)
            c.set_line_width(thick)
            c.set_source(linear(x - length, 0, x, 0, (0, colour, 0.0), (1, colour, alpha)))
            c.stroke()
        c.restore()

    return draw


def slabs(stage, colour):
    """Broad slanted bands that slide past each other."""
    u = stage.u
    reach = math.hypot(stage.width, stage.height)

    def draw(c, t):
        c.save()
        c.translate(stage.width / 2, stage.height / 2)
        c.rotate(-0.32)
        for k, (lane, thick, alpha) in enumerate(
            ((-0.42, 0.2, 0.12), (-0.17, 0.05, 0.2), (0.2, 0.3, 0.1), (0.34, 0.03, 0.3))
        ):
            slide = reach * 0.5 * (1 - settle(t / 1.2 - 0.1 * k)) + 60 * u * math.sin(0.5 * t + k)
            y, tall = lane * reach, thick * reach
            side = 1 if k % 2 else -1
            c.rectangle(-reach / 2 + side * slide, y, reach, tall)
            ends = (0, colour, 0.0), (1, colour, alpha)
            c.set_source(linear(-side * reach / 2, 0, side * reach / 2, 0, *ends))
            c.fill()
        c.restore()

    return draw


def shapes(stage, colours, count=9):
    """Large calm discs and rings that float at the edges of a plain picture."""
    dice, u = stage.dice, stage.u
    floating = []
    for k in range(count):
        angle = k * TAU / count + dice.uniform(-0.2, 0.2)
        floating.append(
            (
                stage.width * (0.5 + 0.55 * math.cos(angle)),
                stage.height * (0.5 + 0.58 * math.sin(angle)),
                dice.uniform(60, 230) * u,
                dice.choice(colours),
                k % 3,
                dice.random() * TAU,
            )
        )

    def draw(c, t):
        for k, (x, y, radius, colour, kind, phase) in enumerate(floating):
            came = smooth((t - 0.06 * k) / 1.1)
            x += 26 * u * math.sin(t * 0.5 + phase)
            y += 26 * u * math.cos(t * 0.42 + phase)
            r = radius * came
            if r <= 1:
                continue
            c.new_path()
            c.arc(x, y, r, 0, TAU)
            if kind == 0:
                c.set_source(
                    linear(x - r, y - r, x + r, y + r, (0, colour, 0.9), (1, colour, 0.35))
                )
                c.fill()
            elif kind == 1:
                c.set_line_width(3 * u)
                c.set_source_rgba(*colour, 0.75)
                c.stroke()
            else:
                c.new_path()
                start = t * 0.3 + phase
                c.arc(x, y, r * 0.8, start, start + 1.4 * math.pi)
                c.set_line_width(r * 0.16)
                c.set_line_cap(cairo.LINE_CAP_ROUND)
                c.set_source_rgba(*colour, 0.55)
                c.stroke()

    return draw


def branches(stage, colour, wood):
    """Blossoming twigs that reach in from the upper corners."""
    dice, u = stage.dice, stage.u
    sprite, c = canvas(stage.width, stage.height)
    blossoms = []

    def grow(x, y, angle, length, thick):
        if thick < 1.6:
            return
        steps = 7
        for _ in range(steps):
            nx, ny = x + math.cos(angle) * length / steps, y + math.sin(angle) * length / steps
            c.move_to(x, y)
            c.line_to(nx, ny)
            c.set_line_width(thick * u)
            c.set_line_cap(cairo.LINE_CAP_ROUND)
            c.set_source_rgb(*wood)
            c.stroke()
            x, y, angle = nx, ny, angle + dice.uniform(-0.16, 0.16)
            thick *= 0.95
            if thick < 9 and dice.random() < 0.5:
                blossoms.append(
                    (x + dice.gauss(0, 12) * u, y + dice.gauss(0, 12) * u, dice.uniform(11, 25) * u)
                )
        for turn in (dice.uniform(-0.75, -0.3), dice.uniform(0.25, 0.7)):
            grow(x, y, angle + turn, length * dice.uniform(0.6, 0.82), thick * 0.66)

    reach = 250 * u if stage.wide else 210 * u
    grow(-12 * u, stage.height * 0.20, -0.10, reach, 13)
    grow(stage.width + 12 * u, stage.height * 0.12, math.pi + 0.22, reach, 13)
    for x, y, r in blossoms:
        turn = dice.random() * TAU
        for petal in range(5):
            a = turn + petal * TAU / 5
            c.arc(x + math.cos(a) * r * 0.55, y + math.sin(a) * r * 0.55, r * 0.5, 0, TAU)
            c.set_source(
                radial(
                    x,
                    y,
                    0,
                    r * 1.1,
                    (0, mix(colour, (0.8, 0.1, 0.3), 0.3)),
                    (0.5, colour),
                    (1, mix(colour, WHITE, 0.45)),
                )
            )
            c.fill()
        c.arc(x, y, r * 0.17, 0, TAU)
        c.set_source_rgb(1.0, 0.85, 0.4)
        c.fill()
    return picture(shadowed(sprite, 8 * u, 10 * u, strength=0.22))
