"""Pictures from nature: sea, mountains, the night sky, plants. All vectors, all from the seed."""

import math
from random import Random

import numpy as np
from kit.colour import mix, shade
from kit.plants import branch, in_bloom, leaf
from kit.shapes import area, circle, data, group, line, rect, through
from make_tools import along, below, ground, paper, ridge, specks, strip, whole


def sea(drawing, plan, rng):
    """Air above, water below, and a sea floor of ridgelines that sound lights up."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    surface = plan.title_end + 4 * u
    middle = mix(p.primary, p.deep, 0.55)
    water = drawing.gradient("water", (0, p.primary), (0.35, middle), (1, shade(p.deep, 0.16)))
    paper(drawing, plan)
    drawing.layer("Swell")
    x = np.linspace(0, w, 160)
    for lift, opacity, fill in ((2.6, 0.25, p.primary), (1.2, 0.5, p.primary), (0, 1, water)):
        phase, turn = rng.uniform(0, 6), math.pi * x / w
        wave = 0.9 * np.sin(3 * turn + phase) + 0.4 * np.sin(7 * turn + 2 * phase)
        drawing.add(group([below(x, surface + u * (wave - lift), h, fill)], opacity=opacity))
    drawing.layer("Particles")
    specks(drawing, plan, rng, 360, (0, surface + 4 * u, w, h), 0.26)
    top, low = plan.art[1], plan.art[3]
    sx, sy = rng.uniform(0.2, 0.34) * w, top + 0.16 * (low - top)
    drawing.layer("Sound")
    under = drawing.clip("under", (0, surface + 2 * u, w, h))
    rings = [
        circle(sx, sy, r, opacity=0.5 * math.exp(-r / (24 * u)) + 0.04)
        for r in np.arange(3 * u, 0.9 * h, 2.4 * u)
    ]
    drawing.add(group(rings, clip_path=under, stroke=p.light, stroke_width=0.1 * u))
    drawing.layer("Sea floor")
    _floor(drawing, plan, rng, sx, top + 0.2 * (low - top), low)
    drawing.layer("Beacon")
    for r, opacity in ((1.9, 0.95), (3, 0.6), (4.3, 0.35), (5.8, 0.2)):
        drawing.add(circle(sx, sy, r * u, stroke=p.accent, stroke_width=0.16 * u, opacity=opacity))
    drawing.add(circle(sx, sy, u, p.accent))
    strip(drawing, plan)


def _floor(drawing, plan, rng, source, horizon, low):
    """Ridgelines in perspective; where a ring of the sound passes they shine in the accent."""
    w, u, p = plan.width, plan.u, plan.palette
    x = np.linspace(-0.02 * w, 1.02 * w, 240)
    rows, bottom = 40, low + 2 * u
    field = [ridge(rng, np.linspace(0, 1, 240), 0.55, 3) for _ in range(6)]
    peak, spread = rng.uniform(0.62, 0.82) * w, 0.2 * w
    for row in range(rows):
        near = (row / (rows - 1)) ** 1.45
        i, t = int(near * 4.99), near * 4.99 % 1
        t = t * t * (3 - 2 * t)
        relief = field[i] * (1 - t) + field[i + 1] * t
        reef = np.exp(-(((x - peak) / spread) ** 2)) * math.exp(-(((near - 0.3) / 0.35) ** 2))
        y = horizon + (bottom - horizon) * near - u * (2.6 + 4.5 * near) * relief * (0.5 + reef)
        y -= 0.85 * (horizon - plan.art[1]) * reef
        fill = mix(mix(p.primary, p.deep, 0.6), shade(p.deep, 0.13), min(1, near * 1.3))
        drawing.add(below(x, y, bottom + 9, fill))
        thick, opacity = (0.07 + 0.09 * near) * u, 0.25 + 0.3 * near
        drawing.add(line(along(x, y), p.light, thick, opacity=opacity))
        away = np.hypot(x - source, (near * 2.2 - 0.2) * (bottom - horizon))
        ring = np.exp(-(((away / (9 * u)) % 1 - 0.5) ** 2) / 0.03)
        lit = ring * np.exp(-away / (0.7 * w)) > 0.28
        edges = np.flatnonzero(np.diff(np.r_[False, lit, False].astype(int)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end - start > 2:
                shine = along(x[start:end], y[start:end])
                drawing.add(line(shine, p.accent, (0.12 + 0.2 * near) * u, opacity=0.9))


def peaks(drawing, plan, rng):
    """Mountain ridges that fade into a low sun."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    glow = mix(p.accent, p.light, 0.35)
    top, low = plan.art[1], plan.art[3]
    horizon = top + 0.32 * (low - top)
    drawing.layer("Sky")
    sky = drawing.gradient("sky", (0, p.light), (0.55, mix(p.light, glow, 0.45)), (1, glow))
    drawing.add(rect((0, 0, w, horizon + 30 * u), sky))
    sun, size = rng.uniform(0.6, 0.78) * w, min(11 * u, 0.42 * (low - top) + 3 * u)
    for grow, pale, opacity in ((2.1, 0.75, 0.18), (1.5, 0.75, 0.3), (1, 0.1, 1)):
        tone = mix(p.accent, p.light, pale)
        drawing.add(circle(sun, horizon - 0.1 * size, size * grow, tone, opacity=opacity))
    x = np.linspace(0, w, 420)
    # The nearest ridge must leave the details a dark ground.
    last, layers = plan.details_top - 8 * u, 7
    drawing.layer("Ridges")
    for number in range(layers):
        near = number / (layers - 1)
        base = horizon + (last - horizon) * near**1.05
        y = base - (7.5 - 3.2 * near) * u * ridge(rng, x / w, 0.47, 2 + number // 2)
        y = np.minimum(y, last + 3 * u) if number == layers - 1 else y
        far = mix(mix(p.second, glow, 0.45), p.primary, min(1, near * 1.5))
        fill = mix(far, p.deep, max(0.0, near * 1.55 - 0.55))
        foot = p.deep if near == 1 else mix(fill, glow, 0.4 * (1 - near))
        # The haze at a ridge's foot lies at the same depth under all of them.
        depth = min(1, 22 * u / (h - float(y.min())))
        haze = drawing.gradient(f"ridge{number}", (0, fill), (depth, foot))
        drawing.add(below(x, y, h, haze))
        if number >= layers - 2:
            _trees(drawing, rng, x, y, (0.6 + 1.0 * near) * u, mix(fill, p.deep, 0.35))
    drawing.layer("Birds")
    for _ in range(5):
        bx = sun + rng.uniform(-22, 8) * u
        by = horizon - rng.uniform(7, 13) * u * min(1, (low - top) / (40 * u))
        s = rng.uniform(0.6, 1.1) * u
        wings = data(
            "M", bx - s, by - 0.4 * s, "q", 0.6 * s, -0.3 * s, s, 0.4 * s,
            "q", 0.4 * s, -0.7 * s, s, -0.4 * s,
        )  # fmt: skip
        drawing.add(line(wings, p.deep, 0.16 * u))
    strip(drawing, plan)


def _trees(drawing, rng, x, y, size, fill):
    """Firs on a ridge."""
    trees = []
    for _ in range(90):
        i, s = rng.integers(2, len(x) - 2), size * rng.uniform(0.5, 1.3)
        trees.append(data("M", x[i], y[i] - 2.2 * s, "l", 0.62 * s, 2.9 * s, "h", -1.24 * s, "z"))
    drawing.add(area(" ".join(trees), fill))


def night(drawing, plan, rng):
    """Stars, a moon and a constellation over a line of hills."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.15), mix(p.deep, p.primary, 0.75))
    drawing.layer("Stars")
    for count, biggest in ((420, 0.22), (60, 0.5)):
        specks(drawing, plan, rng, count, (0, 0, w, h * 0.92), biggest)
    left, top, right, low = plan.art
    cx, cy = left + rng.uniform(0.62, 0.74) * (right - left), top + 0.38 * (low - top)
    r = min(0.26 * (low - top), 11 * u)
    halo = drawing.glow("halo", (0.35, p.accent, 0.4), (1, p.accent, 0))
    shadow = circle(cx - 0.42 * r, cy - 0.22 * r, 0.86 * r, "#000")
    drawing.define(f'<mask id="crescent">{rect(whole(plan), "#fff")}{shadow}</mask>')
    drawing.layer("Moon")
    drawing.add(circle(cx, cy, 2.6 * r, halo))
    drawing.add(circle(cx, cy, r, mix(p.accent, p.light, 0.3), mask="url(#crescent)"))
    drawing.layer("Constellation")
    points, at = [], np.array([left + 0.1 * (right - left), top + 0.62 * (low - top)])
    for _ in range(7):
        points.append(at)
        at = at + np.array([rng.uniform(4, 7.5), rng.uniform(-5.5, 4.2)]) * u
        at[1] = np.clip(at[1], top + 0.12 * (low - top), top + 0.8 * (low - top))
        if at[0] > cx - 1.5 * r:
            break
    drawing.add(line(through(points), p.light, 0.1 * u, opacity=0.6))
    for x, y in points:
        s = rng.uniform(0.9, 1.6) * u
        near, far = 0.12 * s, 0.88 * s
        spark = data(
            "M", x, y - s, "q", near, far, s, s, "q", -far, near, -s, s,
            "q", -near, -far, -s, -s, "q", far, -near, s, -s, "z",
        )  # fmt: skip
        drawing.add(area(spark, p.light))
    x = np.linspace(0, w, 300)
    drawing.layer("Hills")
    for number, tone in enumerate((0.45, 0.72, 1.0)):
        base = plan.details_top - (9 - 4.2 * number) * u
        y = np.minimum(base - 3 * u * ridge(rng, x / w, 0.4, 2), base + 3 * u)
        fill = mix(mix(p.deep, p.primary, 0.6), shade(p.deep, 0.13), tone)
        drawing.add(below(x, y, h, fill))
        if number == 2:
            _trees(drawing, rng, x, y, 1.3 * u, fill)
    strip(drawing, plan)


def garden(drawing, plan, rng):
    """Flowers that grow in front of a pale sun, over dark earth."""
    u, p = plan.u, in_bloom(plan.palette)
    paper(drawing, plan)
    left, top, right, low = plan.art
    middle, high = (left + right) / 2, low - top
    drawing.layer("Sun")
    pale = mix(p.accent, p.light, 0.72)
    drawing.add(circle(middle, top + 0.55 * high, min(0.46 * high, 24 * u), pale))
    drawing.layer("Plants")
    random, count = Random(int(rng.integers(1 << 30))), 14 if plan.wide else 9
    half = (count - 1) / 2
    for k in sorted(range(count), key=lambda k: -abs(k - half)):
        spread = (k - half) / half
        x, turn = middle + spread * 0.43 * (right - left), -90 - 8 * spread * rng.random()
        long = high * (0.62 + 0.26 * rng.random()) * (1 - 0.18 * (1 - abs(spread)))
        drawing.add(branch(random, (x, low + 1.5 * u), turn, min(long, 0.84 * high), 5.4 * u, p))
    for _ in range(16):
        tone = mix(p.primary, p.deep, rng.uniform(0, 0.5))
        x, turn, size = rng.uniform(left, right), rng.uniform(-150, -30), rng.uniform(5, 9) * u
        drawing.add(leaf(x, low + 2 * u, turn, size, tone, mix(tone, p.light, 0.35)))
    drawing.layer("Earth")
    drawing.add(rect((0, low, plan.width, plan.height), p.deep))
    strip(drawing, plan)
