"""Landscapes: mountains, sun, water, birds, clouds, snow."""

from __future__ import annotations

import math

import cairo
import numpy as np
from make_draw import TAU, WHITE, canvas, glow, linear, mix, paint, settle, surface_of
from PIL import Image
from scipy import ndimage


def ridges(stage, far, near, horizon, count=4, mist=WHITE, pines=False):
    """Mountain ranges one behind another that pass by at their own pace."""
    width, height = stage.width, stage.height
    layers = []
    noise = np.random.default_rng(stage.dice.randrange(10**6))
    for k in range(count):
        depth = k / (count - 1) if count > 1 else 1.0
        wide = round(width * 1.3)
        line = np.zeros(wide)
        x = np.arange(wide) / min(width, height)
        for octave in range(7):
            size = 2.0**octave
            line += (
                np.interp(x * size * 1.6, np.arange(200), noise.uniform(-1, 1, 200)) / size**1.05
            )
        line = (line - line.min()) / np.ptp(line)
        top = height * (horizon + 0.13 * k / count * 2.2 - (0.2 - 0.1 * depth) * line)
        strip, c = canvas(wide, height)
        c.move_to(0, height)
        for px in range(0, wide, 2):
            c.line_to(px, top[px])
        c.line_to(wide, height)
        c.close_path()
        tone = mix(far, near, depth)
        c.set_source(
            linear(
                0,
                float(top.min()),
                0,
                float(top.min()) + height * 0.34,
                (0, tone),
                (1, mix(tone, mist, 0.5 * (1 - depth) + 0.08)),
            )
        )
        c.fill()
        if pines and depth > 0.5:
            _pines(c, top, wide, stage, mix(tone, (0.0, 0.06, 0.08), 0.5), 16 + 50 * depth)
        layers.append((strip, (5 + 26 * depth**1.5) * stage.u))

    def draw(c, t):
        for strip, pace in layers:
            c.set_source_surface(strip, -min(pace * t, width * 0.29), 0)
            c.get_source().set_filter(cairo.FILTER_BILINEAR)
            c.paint()

    return draw


def _pines(c, top, wide, stage, colour, tall):
    x = 0.0
    while x < wide - 1:
        h = tall * stage.dice.uniform(0.6, 1.5) * stage.u
        y = top[int(x)] + 4 * stage.u
        for tier in range(3):
            half, low = h * (0.17 + 0.07 * tier), y - h * (0.62 - 0.28 * tier)
            c.move_to(x, low - h * 0.4)
            c.line_to(x - half, low)
            c.line_to(x + half, low)
            c.close_path()
        c.set_source_rgb(*colour)
        c.fill()
        x += h * stage.dice.uniform(0.3, 0.9)


def sun(stage, x, y, radius, colour):
    """A low sun with a wide halo."""
    halo = glow(round(radius * 6), colour, 3.0)
    disc = glow(round(radius * 1.15), mix(colour, WHITE, 0.7), 0.22)

    def draw(c, t):
        lift = -0.3 * radius * settle(t / max(4.0, stage.duration))
        paint(c, halo, x, y + lift, 1 + 0.02 * math.sin(t * 1.3), alpha=0.75, add=True)
        paint(c, disc, x, y + lift)

    return draw


def water(stage, level, sky, deep, light, light_x):
    """A lake or sea below `level` (0..1): its colours, and glints under the light."""
    u, top = stage.u, stage.height * level
    tall = stage.height - top
    dice = stage.dice
    strip, c = canvas(stage.width, tall)
    c.set_source(linear(0, 0, 0, tall, (0, sky), (1, deep)))
    c.paint()
    glints = []
    for _ in range(150):
        depth = dice.random() ** 1.6
        spread = (0.04 + 0.24 * depth) * stage.width
        glints.append(
            (
                light_x + dice.gauss(0, spread),
                top + 4 * u + depth * tall,
                (8 + 66 * depth) * u * dice.uniform(0.5, 1.4),
                dice.random() * TAU,
                dice.uniform(1.0, 2.4),
                depth,
            )
        )
    dashes = [
        (
            dice.random() * stage.width,
            top + (0.04 + dice.random() ** 1.4 * 0.96) * tall,
            dice.uniform(30, 150) * u,
            dice.random() * TAU,
        )
        for _ in range(46)
    ]

    def draw(c, t):
        c.set_source_surface(strip, 0, top)
        c.paint()
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        for x, y, length, phase in dashes:
            shift = 14 * u * math.sin(t * 0.7 + phase)
            c.move_to(x - length / 2 + shift, y)
            c.line_to(x + length / 2 + shift, y)
            c.set_line_width((1 + 2.2 * (y - top) / tall) * u)
            c.set_source_rgba(*mix(sky, WHITE, 0.25), 0.10 + 0.08 * math.sin(t + phase))
            c.stroke()
        for x, y, length, phase, rate, depth in glints:
            shine = math.sin(t * rate + phase)
            if shine <= 0:
                continue
            shift = 10 * u * math.sin(t * 0.9 + phase)
            c.move_to(x - length * shine / 2 + shift, y)
            c.line_to(x + length * shine / 2 + shift, y)
            c.set_line_width((1.4 + 3.2 * depth) * u)
            c.set_source_rgba(*light, 0.7 * shine * (1 - 0.45 * depth))
            c.stroke()

    return draw


def birds(stage, colour, count=7, level=0.24):
    """A loose flock that crosses the sky."""
    dice, u = stage.dice, stage.u
    flock = [
        (
            dice.gauss(0, 90) * u,
            dice.gauss(0, 46) * u,
            dice.uniform(11, 20) * u,
            dice.random() * TAU,
        )
        for _ in range(count)
    ]

    def draw(c, t):
        lead = stage.width * (0.08 + 0.62 * t / max(8.0, stage.duration))
        for dx, dy, span, phase in flock:
            beat = math.sin(t * 7 + phase) * (0.35 + 0.3 * math.sin(t * 0.8 + phase))
            x, y = lead + dx, stage.height * level + dy + 10 * u * math.sin(t * 0.8 + phase)
            c.move_to(x - span, y - span * beat)
            c.curve_to(
                x - span * 0.5, y - span * (0.45 + beat), x - span * 0.2, y - span * 0.2, x, y
            )
            c.curve_to(
                x + span * 0.2,
                y - span * 0.2,
                x + span * 0.5,
                y - span * (0.45 + beat),
                x + span,
                y - span * beat,
            )
            c.set_line_width(2.6 * u)
            c.set_line_cap(cairo.LINE_CAP_ROUND)
            c.set_source_rgba(*colour, 0.75)
            c.stroke()

    return draw


def clouds(stage, colour, low=0.5, strength=0.8):
    """High streaked clouds from the top down to `low` (0..1) that drift slowly."""
    wide, tall = round(stage.width * 1.25), round(stage.height * low)
    noise = np.random.default_rng(stage.dice.randrange(10**6))
    cover = np.zeros((tall // 4, wide // 4))
    for octave in range(5):
        size = 46 * stage.u / 2**octave
        grain = ndimage.gaussian_filter(
            noise.standard_normal(cover.shape), (size * 0.5, size * 2.1), mode="wrap"
        )
        cover += grain / grain.std() / 1.75**octave
    cover = np.clip((cover - 0.35 * cover.std()) / (2.2 * cover.std()), 0, 1)
    cover *= np.sin(np.linspace(0.25, np.pi, cover.shape[0]))[:, None].clip(0)
    cover = np.asarray(
        Image.fromarray(cover.astype(np.float32)).resize((wide, tall), Image.BICUBIC)
    )
    sprite = surface_of(
        np.broadcast_to(np.array(colour), (tall, wide, 3)), np.clip(cover * strength, 0, 1)
    )

    def draw(c, t):
        c.set_source_surface(sprite, -min(9 * stage.u * t, stage.width * 0.24), 0)
        c.get_source().set_filter(cairo.FILTER_BILINEAR)
        c.paint()

    return draw


def snowfall(stage, count=170):
    """Snow at three distances; the nearest flakes are large and soft."""
    dice, u = stage.dice, stage.u
    sprites = [glow(round(r * u) or 2, WHITE, p) for r, p in ((4, 0.8), (7, 0.9), (22, 1.4))]
    flakes = [
        (
            sprites[level],
            dice.random(),
            dice.random(),
            (50 + 55 * level) * dice.uniform(0.8, 1.2) * u,
            dice.random() * TAU,
            (0.9, 0.85, 0.42)[level],
        )
        for level in (dice.choices((0, 1, 2), (6, 4, 1))[0] for _ in range(count))
    ]

    def draw(c, t):
        for sprite, x, y, pace, phase, alpha in flakes:
            span = stage.height + 60 * u
            paint(
                c,
                sprite,
                x * stage.width + 36 * u * math.sin(t * 0.7 + phase),
                (y * span + pace * t) % span - 30 * u,
                alpha=alpha,
            )

    return draw
