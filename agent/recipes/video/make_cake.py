"""The birthday cake."""

from __future__ import annotations

import math
import random

import cairo
from make_draw import WHITE, canvas, ellipse, glow, linear, mix, paint, shadowed


def cake(stage, candles, start, middle, bottom):
    """A birthday cake that hops in at `start`; one candle a year, at most 12."""
    u = stage.u
    width, height = 780 * u, 500 * u
    sprite, c = canvas(width, height)
    c.scale(u, u)

    def side(x, w, colour):
        shade = (0.4, 0.1, 0.2)
        return linear(
            x,
            0,
            x + w,
            0,
            (0, mix(colour, shade, 0.18)),
            (0.24, mix(colour, WHITE, 0.25)),
            (0.6, colour),
            (1, mix(colour, shade, 0.24)),
        )

    ellipse(c, 390, 452, 356, 30)
    c.set_source(side(34, 712, (1, 1, 1)))
    c.fill()
    ellipse(c, 390, 446, 320, 20)
    c.set_source_rgb(0.95, 0.89, 0.93)
    c.fill()
    dice = random.Random(len(stage.palette))
    tiers = (
        (90, 280, 600, 150, (1.0, 0.89, 0.74), stage.colour(0), 9),
        (180, 142, 420, 144, (1.0, 0.95, 0.87), stage.colour(3), 7),
    )
    for x, y, w, h, sponge, icing, drips in tiers:
        ry = w * 0.052
        c.move_to(x, y)
        c.line_to(x, y + h)
        c.save()
        c.translate(x + w / 2, y + h)
        c.scale(w / 2, ry)
        c.arc_negative(0, 0, 1, math.pi, 0)
        c.restore()
        c.line_to(x + w, y)
        c.close_path()
        c.set_source(side(x, w, sponge))
        c.fill()
        for _ in range(int(w / 11)):
            px = x + 16 + dice.random() * (w - 40)
            py = y + h * dice.uniform(0.66, 0.96) + ry * math.sin((px - x) / w * math.pi) * 0.8
            turn = dice.random() * math.pi
            c.set_line_cap(cairo.LINE_CAP_ROUND)
            c.set_line_width(6)
            c.move_to(px, py)
            c.line_to(px + 9 * math.cos(turn), py + 9 * math.sin(turn))
            c.set_source_rgb(*stage.colour(dice.randrange(7)))
            c.stroke()
        step = w / drips
        soft = mix(icing, WHITE, 0.3)
        c.move_to(x, y)
        for k in range(drips):
            left, drop = x + k * step, h * dice.uniform(0.2, 0.46)
            sag = y + ry * math.sin((k + 0.5) / drips * math.pi)
            c.line_to(left, sag + drop * 0.35)
            c.curve_to(
                left,
                sag + drop * 1.3,
                left + step * 0.72,
                sag + drop * 1.3,
                left + step * 0.72,
                sag + drop * 0.35,
            )
            c.curve_to(left + step * 0.72, sag + 8, left + step, sag + 8, left + step, sag + 14)
        c.line_to(x + w, y)
        c.close_path()
        c.set_source(side(x, w, soft))
        c.fill()
        ellipse(c, x + w / 2, y, w / 2, ry * 1.15)
        c.set_source_rgb(*mix(icing, WHITE, 0.6))
        c.fill()
    wicks = []
    gap = min(62, 350 / max(1, candles - 1)) if candles > 1 else 0
    for k in range(candles):
        x = 390 + (k - (candles - 1) / 2) * gap
        y = 140 + 9 * math.cos((x - 390) / 200)
        c.save()
        c.rectangle(x - 8, y - 84, 16, 88)
        c.clip()
        c.set_source_rgb(1, 1, 1)
        c.paint()
        c.set_source_rgb(*stage.colour(k))
        c.set_line_width(9)
        for stripe in range(-2, 8):
            c.move_to(x - 16, y - 74 + stripe * 19)
            c.line_to(x + 16, y - 90 + stripe * 19)
            c.stroke()
        c.restore()
        wicks.append((x - 390, y - 90 - 250))
    sprite = shadowed(sprite, 6 * u, 8 * u, strength=0.3)
    light = glow(78 * u, (1.0, 0.86, 0.45), 2.2)

    def draw(c, t):
        came = (t - start) / 0.8
        if came <= 0:
            return
        zoom = 0.9
        y = bottom - height * zoom / 2 + (1 - min(1.06, spring_up(came))) * height * 1.3
        paint(c, sprite, middle, y, zoom)
        for k, (wx, wy) in enumerate(wicks):
            flick = 1 + 0.13 * math.sin(t * 17 + k * 1.9) + 0.07 * math.sin(t * 29 + k * 4.1)
            c.save()
            c.translate(middle + wx * u * zoom, y + wy * u * zoom)
            paint(c, light, 0, -12 * u, flick, alpha=0.6, add=True)
            c.rotate(0.1 * math.sin(t * 9 + k * 2.2))
            c.scale(u, u)
            for r, tall, colour in (
                (11, 42, (1.0, 0.5, 0.1)),
                (8, 30, (1.0, 0.82, 0.25)),
                (4, 17, (1.0, 0.97, 0.85)),
            ):
                tip = tall * flick
                c.move_to(0, 5 - tip)
                c.curve_to(r * 0.5, 5 - tip * 0.6, r, 5 - tip * 0.42, r, 5 - r)
                c.arc(0, 5 - r, r, 0, math.pi)
                c.curve_to(-r, 5 - tip * 0.42, -r * 0.5, 5 - tip * 0.6, 0, 5 - tip)
                c.set_source_rgb(*colour)
                c.fill()
            c.restore()

    return draw


def spring_up(x):
    """0..1, past the goal once, then still."""
    x = min(1.0, x) - 1
    return 1 + 2.5 * x**3 + 1.5 * x**2
