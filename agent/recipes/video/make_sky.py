"""Night skies: stars, fireworks, a skyline, a planet, a rocket."""

from __future__ import annotations

import math

import cairo
import numpy as np
from make_draw import (
    TAU,
    WHITE,
    canvas,
    clamp,
    glow,
    linear,
    mix,
    paint,
    radial,
    settle,
    surface_of,
)
from make_stage import picture
from scipy import ndimage


def stars(stage, count, drift=4.0, twinkling=36):
    """A field of stars; the brightest twinkle."""
    dice, u = stage.dice, stage.u
    field_, c = canvas(stage.width * 1.25, stage.height)
    for _ in range(count):
        c.arc(
            dice.random() * stage.width * 1.25,
            dice.random() * stage.height,
            (0.5 + 1.1 * dice.random() ** 3) * u,
            0,
            TAU,
        )
        c.set_source_rgba(*mix(WHITE, (0.7, 0.8, 1.0), dice.random()), dice.uniform(0.2, 0.85))
        c.fill()
    lights = [
        (
            dice.random() * stage.width * 1.1,
            dice.random() * stage.height,
            dice.uniform(5, 13) * u,
            dice.random() * TAU,
            dice.uniform(1, 3),
        )
        for _ in range(twinkling)
    ]
    spark = glow(16 * u, (0.85, 0.92, 1.0), 3.0)

    def draw(c, t):
        c.set_source_surface(field_, -drift * u * t, 0)
        c.paint()
        for x, y, size, phase, rate in lights:
            shine = 0.35 + 0.65 * math.sin(t * rate + phase) ** 2
            paint(c, spark, x - drift * 1.6 * u * t, y, size / (13 * u), alpha=shine, add=True)

    return draw


def firework(stage, moments, colours, low=0.12, high=0.5):
    """Shells that burst at `moments`: glowing trails that sink and fade."""
    dice, u = stage.dice, stage.u
    shells = []
    for moment in moments:
        tint = dice.choice(colours)
        sparks = [
            (k * TAU / 64 + dice.uniform(-0.05, 0.05), dice.choice((1.0, 1.0, 0.93, 0.66, 0.38)))
            for k in range(64)
        ]
        shells.append(
            (
                moment,
                dice.uniform(0.1, 0.9) * stage.width,
                dice.uniform(low, high) * stage.height,
                dice.uniform(230, 380) * u,
                tint,
                mix(tint, WHITE, 0.6),
                sparks,
                glow(round(dice.uniform(150, 230) * u), tint, 2.4),
            )
        )

    def draw(c, t):
        c.save()
        c.set_operator(cairo.OPERATOR_ADD)
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        for moment, x, y, size, tint, pale, sparks, flash in shells:
            d = t - moment
            if -0.7 < d < 0:
                rise = 1 + d / 0.7
                head = stage.height - (stage.height - y) * settle(rise * 0.75) / settle(0.75)
                c.move_to(x, head)
                c.line_to(x, head + 60 * u * (1 - rise) + 8 * u)
                c.set_line_width(3 * u)
                c.set_source_rgba(*pale, 0.8)
                c.stroke()
            if not 0 <= d < 2.2:
                continue
            paint(c, flash, x, y, 1.6, alpha=0.9 * math.exp(-5 * d), add=True)
            fade = clamp((2.2 - d) / 1.3) ** 1.4
            reach, tail = (
                size * (1 - math.exp(-2.9 * d)),
                size * (1 - math.exp(-2.9 * max(0, d - 0.16))),
            )
            sink, sunk = 60 * u * d * d, 60 * u * max(0, d - 0.16) ** 2
            for tone, share in ((tint, 1.0), (pale, 0.55)):
                for angle, far in sparks:
                    dx, dy = math.cos(angle) * far, math.sin(angle) * far
                    near = reach + (tail - reach) * share
                    c.move_to(x + dx * near, y + dy * near + sink + (sunk - sink) * share)
                    c.line_to(x + dx * reach, y + dy * reach + sink)
                c.set_line_width((4.4 if share == 1 else 2.4) * u)
                c.set_source_rgba(*tone, fade * (0.55 if share == 1 else 0.95))
                c.stroke()
        c.restore()

    return draw


def skyline(stage, colour, light, base=0.26):
    """Houses along the horizon with lit windows, two rows deep."""
    dice, u = stage.dice, stage.u
    sprite, c = canvas(stage.width, stage.height)
    for row, tone in enumerate((mix(colour, (0.25, 0.2, 0.45), 0.35), colour)):
        x = -30 * u
        while x < stage.width:
            wide = dice.uniform(60, 150) * u
            tall = stage.height * base * dice.uniform(0.45, 1.0) * (1.15 - 0.5 * row)
            top = stage.height - tall
            c.rectangle(x, top, wide, tall)
            if dice.random() < 0.3:
                c.rectangle(x + wide * 0.46, top - tall * 0.16, wide * 0.06, tall * 0.16)
            c.set_source_rgb(*tone)
            c.fill()
            step = 19 * u
            for wy in range(int(tall / step) - 1):
                for wx in range(int(wide / step) - 1):
                    if dice.random() < 0.24:
                        c.rectangle(x + (wx + 0.8) * step, top + (wy + 0.9) * step, 8 * u, 9 * u)
                        c.set_source_rgba(*light, dice.uniform(0.25, 0.8))
                        c.fill()
            x += wide * dice.uniform(0.85, 1.1)
    return picture(sprite)


def planet(stage, colour, air):
    """The curved edge of a world along the bottom, lit by a sun that comes up."""
    width, height = stage.width, stage.height
    radius = max(width, height) * 1.15
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    above = np.hypot(x - width / 2, y - (height * 0.8 + radius)) - radius
    sun = np.exp(-(((x - width / 2) / (width * 0.34)) ** 2))
    scale = 1080 / min(width, height)
    halo = np.where(above > 0, np.exp(-above * scale / 70), 0) * (0.3 + 0.9 * sun)
    rim = np.exp(-np.abs(above) * scale / 5) * (0.25 + 0.9 * sun)
    grain = ndimage.gaussian_filter(np.random.default_rng(3).random((height, width)), 26 / scale)
    grain = (grain - grain.mean()) / grain.std()
    ground = np.clip(1 + above * scale / 260, 0, 1) * (0.4 + sun) * (1 + 0.16 * grain)
    body = np.array(colour) * np.where(above <= 0, ground, 0)[..., None]
    picture_ = (
        body + np.array(air) * halo[..., None] + np.array(mix(air, WHITE, 0.7)) * rim[..., None]
    )
    alpha = np.clip(np.where(above <= 0, 1, np.maximum(halo, rim)), 0, 1)
    sprite = surface_of(np.clip(picture_ / np.maximum(alpha, 1e-3)[..., None], 0, 1), alpha)

    def draw(c, t):
        lift = (1 - settle(t / max(3.0, stage.duration))) * 60 * stage.u
        c.set_source_surface(sprite, 0, lift)
        c.paint()

    return draw


def rocket(stage, start):
    """A rocket that climbs from behind the horizon across the frame, from `start` seconds on."""
    u = stage.u
    hull, c = canvas(120 * u, 320 * u)
    c.scale(u, u)
    for sign in (-1, 1):
        c.move_to(60 + sign * 30, 190)
        c.curve_to(60 + sign * 62, 215, 60 + sign * 58, 262, 60 + sign * 54, 282)
        c.line_to(60 + sign * 26, 258)
        c.close_path()
        c.set_source_rgb(*mix(stage.colour(0), (0, 0, 0), 0.15 if sign < 0 else 0.35))
        c.fill()
    c.move_to(60, 8)
    c.curve_to(104, 70, 104, 190, 86, 262)
    c.line_to(34, 262)
    c.curve_to(16, 190, 16, 70, 60, 8)
    c.set_source(
        linear(20, 0, 100, 0, (0, (0.72, 0.76, 0.86)), (0.35, WHITE), (1, (0.45, 0.5, 0.63)))
    )
    c.fill_preserve()
    c.save()
    c.clip()
    c.rectangle(0, 0, 120, 72)
    c.set_source(
        linear(20, 0, 100, 0, (0, stage.colour(0)), (1, mix(stage.colour(0), (0, 0, 0), 0.4)))
    )
    c.fill()
    c.restore()
    c.arc(60, 122, 19, 0, TAU)
    c.set_source_rgb(0.32, 0.38, 0.5)
    c.fill()
    c.arc(60, 122, 14, 0, TAU)
    c.set_source(
        radial(60, 122, 1, 15, (0, (0.75, 0.93, 1.0)), (1, (0.15, 0.35, 0.65)), focus=(55, 116))
    )
    c.fill()
    flare = glow(150 * u, (1.0, 0.6, 0.2), 2.6)
    puff = glow(70 * u, (1.0, 0.9, 0.8), 1.6)
    x0 = stage.width * (0.88 if stage.wide else 0.84)

    def draw(c, t):
        d = t - start
        if d <= 0:
            return
        climbed = 70 * u * d + 95 * u * d**2.1
        y = stage.height * 0.98 - climbed
        for k in range(26):
            age = d - k * 0.06
            if age <= 0:
                break
            py = stage.height * 0.98 - (70 * u * age + 95 * u * age**2.1) + 190 * u
            spread = 0.25 + k * 0.035
            side = x0 + math.sin(k * 2.4 + start) * 12 * u * spread * 2
            paint(c, puff, side, py, spread, alpha=0.5 * (1 - k / 26))
        if y < -400 * u:
            return
        shake = 1.5 * u * math.sin(t * 61)
        paint(c, flare, x0, y + 170 * u, 1 + 0.08 * math.sin(t * 40), alpha=0.9, add=True)
        for wide, tall, colour in (
            (26, 130, (1.0, 0.45, 0.1)),
            (17, 95, (1.0, 0.8, 0.3)),
            (9, 60, (1.0, 1.0, 0.95)),
        ):
            tip = tall * u * (1 + 0.14 * math.sin(t * 47 + tall))
            c.move_to(x0 - wide * u, y + 100 * u)
            c.curve_to(
                x0 - wide * u, y + 100 * u + tip * 0.5, x0, y + 100 * u + tip, x0, y + 100 * u + tip
            )
            c.curve_to(
                x0,
                y + 100 * u + tip,
                x0 + wide * u,
                y + 100 * u + tip * 0.5,
                x0 + wide * u,
                y + 100 * u,
            )
            c.set_source_rgb(*colour)
            c.fill()
        paint(c, hull, x0 + shake, y)

    return draw
