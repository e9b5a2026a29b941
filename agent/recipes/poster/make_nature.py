"""Pictures from nature: sea, mountains, plants, the night sky. All vectors, all from the seed."""

import math
from random import Random

import numpy as np
from kit.colour import mix, shade
from kit.plants import branch, in_bloom, leaf


def path(x, y, close=""):
    """SVG path data through the points."""
    return "M" + "L".join(f"{a:.1f} {b:.2f}" for a, b in zip(x, y, strict=True)) + close


def smooth(rng, count, x):
    """Value noise: a smooth random line through `count` knots over x in 0–1, about -1 to 1."""
    knots = rng.normal(0, 0.55, count + 3)
    at = np.clip(np.asarray(x), 0, 1) * count
    i = at.astype(int)
    t = at - i
    t = t * t * (3 - 2 * t)
    return knots[i] * (1 - t) + knots[i + 1] * t


def ridge(rng, x, rough=0.5, first=2):
    """A mountain line over x in 0–1: octaves of noise, about -1 to 1."""
    line, high = np.zeros_like(x), 1.0
    for octave in range(7):
        line += high * smooth(rng, first * 2**octave, x)
        high *= rough
    return line


def ground(drawing, plan, top, low):
    """A ground that goes from one colour to another down the sheet."""
    paint = drawing.gradient("ground", (0, top), (1, low))
    drawing.layer("Ground")
    drawing.add(f'<rect width="{plan.width:g}" height="{plan.height:g}" fill="{paint}"/>')


def strip(drawing, plan):
    """The band at the foot, where the style has one and the plan uses it."""
    if plan.style.strip and plan.foot_rows:
        drawing.layer("Band")
        drawing.add(
            f'<rect y="{plan.foot_top:.2f}" width="{plan.width:g}"'
            f' height="{plan.height - plan.foot_top:.2f}" fill="{getattr(plan.palette, plan.style.strip)}"/>'
        )


def specks(rng, count, box, plan, biggest=0.3):
    """Small lights in a box, none where there is type: they would look like dots of the text."""
    (left, top, right, bottom), u, marks = box, plan.u, []
    for _ in range(count):
        x, y = rng.uniform(left, right), rng.uniform(top, bottom)
        r, opacity = u * biggest * rng.uniform(0.25, 1) ** 2, rng.uniform(0.15, 0.7)
        if not plan.occupied(x, y):
            marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.2f}" opacity="{opacity:.2f}"/>')
    return f'<g fill="{plan.palette.light}">{"".join(marks)}</g>'


def sea(drawing, plan, rng):
    """Air above, water below, and a sea floor of ridgelines that sound lights up."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    surface = plan.title_end + 4 * u
    x = np.linspace(0, w, 160)
    deep = shade(p.deep, 0.16)
    water = drawing.gradient(
        "water", (0, p.primary), (0.35, mix(p.primary, p.deep, 0.55)), (1, deep)
    )
    drawing.layer("Air and swell")
    drawing.add(f'<rect width="{w:g}" height="{h:g}" fill="{p.light}"/>')
    for number, (lift, opacity) in enumerate(((2.6, 0.25), (1.2, 0.5), (0, 1))):
        phase = rng.uniform(0, 6)
        line = (
            surface
            - lift * u
            + u
            * (
                0.9 * np.sin(3 * math.pi * x / w + phase)
                + 0.4 * np.sin(7 * math.pi * x / w + 2 * phase)
            )
        )
        fill = water if number == 2 else p.primary
        drawing.add(
            f'<path d="{path(np.r_[x, w, 0], np.r_[line, h, h], "Z")}" fill="{fill}" opacity="{opacity}"/>'
        )
    drawing.layer("Particles")
    drawing.add(specks(rng, 360, (0, surface + 4 * u, w, h), plan, 0.26))
    top, low = plan.art[1], plan.art[3]
    source = (rng.uniform(0.2, 0.34) * w, top + 0.16 * (low - top))
    drawing.layer("Sound")
    drawing.define(
        f'<clipPath id="under"><rect y="{surface + 2 * u:.1f}" width="{w:g}" height="{h:g}"/></clipPath>'
    )
    rings = "".join(
        f'<circle cx="{source[0]:.1f}" cy="{source[1]:.1f}" r="{r:.1f}"'
        f' opacity="{0.5 * math.exp(-r / (24 * u)) + 0.04:.3f}"/>'
        for r in np.arange(3 * u, 0.9 * h, 2.4 * u)
    )
    drawing.add(
        f'<g clip-path="url(#under)" fill="none" stroke="{p.light}" stroke-width="{0.1 * u:.2f}">{rings}</g>'
    )
    drawing.layer("Sea floor")
    _floor(drawing, plan, rng, source, top + 0.2 * (low - top), low)
    drawing.layer("Beacon")
    glow = "".join(
        f'<circle cx="{source[0]:.1f}" cy="{source[1]:.1f}" r="{r * u:.2f}" fill="none"'
        f' stroke="{p.accent}" stroke-width="{0.16 * u:.2f}" opacity="{o}"/>'
        for r, o in ((1.9, 0.95), (3, 0.6), (4.3, 0.35), (5.8, 0.2))
    )
    drawing.add(
        glow + f'<circle cx="{source[0]:.1f}" cy="{source[1]:.1f}" r="{u:.2f}" fill="{p.accent}"/>'
    )
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
        at = near * 4.99
        i, t = int(at), at - int(at)
        t = t * t * (3 - 2 * t)
        relief = field[i] * (1 - t) + field[i + 1] * t
        reef = np.exp(-(((x - peak) / spread) ** 2)) * math.exp(-(((near - 0.3) / 0.35) ** 2))
        y = horizon + (bottom - horizon) * near
        y = (
            y
            - u * (2.6 + 4.5 * near) * relief * (0.5 + reef)
            - 0.85 * (horizon - plan.art[1]) * reef
        )
        fill = mix(mix(p.primary, p.deep, 0.6), shade(p.deep, 0.13), min(1, near * 1.3))
        drawing.add(
            f'<path d="{path(np.r_[x, w * 1.02, -9], np.r_[y, bottom + 9, bottom + 9], "Z")}" fill="{fill}"/>'
        )
        drawing.add(
            f'<path d="{path(x, y)}" fill="none" stroke="{p.light}" stroke-width="{(0.07 + 0.09 * near) * u:.2f}"'
            f' opacity="{0.25 + 0.3 * near:.2f}"/>'
        )
        away = np.hypot(x - source[0], (near * 2.2 - 0.2) * (bottom - horizon))
        lit = np.exp(-(((away / (9 * u)) % 1 - 0.5) ** 2) / 0.03) * np.exp(-away / (0.7 * w)) > 0.28
        edges = np.flatnonzero(np.diff(np.r_[False, lit, False].astype(int)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end - start > 2:
                drawing.add(
                    f'<path d="{path(x[start:end], y[start:end])}" fill="none" stroke="{p.accent}"'
                    f' stroke-linecap="round" stroke-width="{(0.12 + 0.2 * near) * u:.2f}" opacity="0.9"/>'
                )


def peaks(drawing, plan, rng):
    """Mountain ridges that fade into a low sun."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    glow = mix(p.accent, p.light, 0.35)
    top, low = plan.art[1], plan.art[3]
    horizon = top + 0.32 * (low - top)
    drawing.layer("Sky")
    sky = drawing.gradient("sky", (0, p.light), (0.55, mix(p.light, glow, 0.45)), (1, glow))
    drawing.add(f'<rect width="{w:g}" height="{horizon + 30 * u:.1f}" fill="{sky}"/>')
    sun = rng.uniform(0.6, 0.78) * w
    size = min(11 * u, 0.42 * (low - top) + 3 * u)
    for grow, opacity in ((2.1, 0.18), (1.5, 0.3), (1, 1)):
        drawing.add(
            f'<circle cx="{sun:.1f}" cy="{horizon - 0.1 * size:.1f}" r="{size * grow:.1f}"'
            f' fill="{mix(p.accent, p.light, 0.75 if grow > 1 else 0.1)}" opacity="{opacity}"/>'
        )
    x = np.linspace(0, w, 420)
    # The nearest ridge must leave the details a dark ground.
    last = plan.details_top - 8 * u
    layers = 7
    drawing.layer("Ridges")
    for number in range(layers):
        near = number / (layers - 1)
        base = horizon + (last - horizon) * near**1.05
        high = (7.5 - 3.2 * near) * u
        line = base - high * ridge(rng, x / w, 0.47, 2 + number // 2)
        line = np.minimum(line, last + 3 * u) if number == layers - 1 else line
        far = mix(mix(p.second, glow, 0.45), p.primary, min(1, near * 1.5))
        fill = mix(far, p.deep, max(0.0, near * 1.55 - 0.55))
        drawing.define(
            f'<linearGradient id="r{number}" gradientUnits="userSpaceOnUse" x2="0" y1="{base - high:.1f}"'
            f' y2="{base + 22 * u:.1f}"><stop stop-color="{fill}"/><stop offset="1"'
            f' stop-color="{p.deep if near == 1 else mix(fill, glow, 0.4 * (1 - near))}"/></linearGradient>'
        )
        drawing.add(
            f'<path d="{path(np.r_[x, w, 0], np.r_[line, h, h], "Z")}" fill="url(#r{number})"/>'
        )
        if number >= layers - 2:
            _trees(drawing, rng, x, line, (0.6 + 1.0 * near) * u, mix(fill, p.deep, 0.35))
    drawing.layer("Birds")
    for _ in range(5):
        bx = sun + rng.uniform(-22, 8) * u
        by = horizon - rng.uniform(7, 13) * u * min(1, (low - top) / (40 * u))
        s = rng.uniform(0.6, 1.1) * u
        drawing.add(
            f'<path d="M{bx - s:.1f} {by - 0.4 * s:.1f}q{0.6 * s:.2f} {-0.3 * s:.2f} {s:.2f} {0.4 * s:.2f}'
            f'q{0.4 * s:.2f} {-0.7 * s:.2f} {s:.2f} {-0.4 * s:.2f}" fill="none" stroke="{p.deep}"'
            f' stroke-width="{0.16 * u:.2f}" stroke-linecap="round"/>'
        )
    strip(drawing, plan)


def _trees(drawing, rng, x, line, size, fill):
    trees = []
    for _ in range(90):
        i = rng.integers(2, len(x) - 2)
        s = size * rng.uniform(0.5, 1.3)
        cx, cy = x[i], line[i] + 0.4 * s
        trees.append(f"M{cx:.1f} {cy - 2.6 * s:.1f}l{0.62 * s:.2f} {2.9 * s:.2f}h{-1.24 * s:.2f}z")
    drawing.add(f'<path d="{"".join(trees)}" fill="{fill}"/>')


def night(drawing, plan, rng):
    """Stars, a moon and a constellation over a line of hills."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.15), mix(p.deep, p.primary, 0.75))
    drawing.layer("Stars")
    for count, biggest in ((420, 0.22), (60, 0.5)):
        drawing.add(specks(rng, count, (0, 0, w, h * 0.92), plan, biggest))
    left, top, right, low = plan.art
    cx, cy = left + rng.uniform(0.62, 0.74) * (right - left), top + 0.38 * (low - top)
    r = min(0.26 * (low - top), 11 * u)
    drawing.define(
        f'<radialGradient id="halo"><stop offset="0.35" stop-color="{p.accent}" stop-opacity="0.4"/>'
        f'<stop offset="1" stop-color="{p.accent}" stop-opacity="0"/></radialGradient>'
        f'<mask id="crescent"><rect width="{w:g}" height="{h:g}" fill="#fff"/>'
        f'<circle cx="{cx - 0.42 * r:.1f}" cy="{cy - 0.22 * r:.1f}" r="{0.86 * r:.1f}" fill="#000"/></mask>'
    )
    drawing.layer("Moon")
    drawing.add(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{2.6 * r:.1f}" fill="url(#halo)"/>')
    drawing.add(
        f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{r:.1f}" fill="{mix(p.accent, p.light, 0.3)}" mask="url(#crescent)"/>'
    )
    drawing.layer("Constellation")
    points, at = [], np.array([left + 0.1 * (right - left), top + 0.62 * (low - top)])
    for _ in range(7):
        points.append(at)
        at = at + np.array([rng.uniform(4, 7.5), rng.uniform(-5.5, 4.2)]) * u
        at[1] = np.clip(at[1], top + 0.12 * (low - top), top + 0.8 * (low - top))
        if at[0] > cx - 1.5 * r:
            break
    xs, ys = np.array(points).T
    drawing.add(
        f'<path d="{path(xs, ys)}" fill="none" stroke="{p.light}" stroke-width="{0.1 * u:.2f}" opacity="0.6"/>'
    )
    for px, py in points:
        s = rng.uniform(0.9, 1.6) * u
        drawing.add(
            f'<path d="M{px:.1f} {py - s:.1f}q{0.12 * s:.2f} {0.88 * s:.2f} {s:.2f} {s:.2f}q{-0.88 * s:.2f} {0.12 * s:.2f}'
            f" {-s:.2f} {s:.2f}q{-0.12 * s:.2f} {-0.88 * s:.2f} {-s:.2f} {-s:.2f}q{0.88 * s:.2f} {-0.12 * s:.2f}"
            f' {s:.2f} {-s:.2f}z" fill="{p.light}"/>'
        )
    x = np.linspace(0, w, 300)
    drawing.layer("Hills")
    for number, tone in enumerate((0.45, 0.72, 1.0)):
        base = plan.details_top - (9 - 4.2 * number) * u
        line = np.minimum(base - 3 * u * ridge(rng, x / w, 0.4, 2), base + 3 * u)
        fill = mix(mix(p.deep, p.primary, 0.6), shade(p.deep, 0.13), tone)
        drawing.add(f'<path d="{path(np.r_[x, w, 0], np.r_[line, h, h], "Z")}" fill="{fill}"/>')
        if number == 2:
            _trees(drawing, rng, x, line, 1.3 * u, fill)
    strip(drawing, plan)


def garden(drawing, plan, rng):
    """Leafy branches and flowers that grow into the sheet from its edges."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    drawing.layer("Paper")
    drawing.add(f'<rect width="{w:g}" height="{h:g}" fill="{p.light}"/>')
    left, top, right, low = plan.art
    middle, high = (left + right) / 2, low - top
    drawing.layer("Sun")
    drawing.add(
        f'<circle cx="{middle:.1f}" cy="{top + 0.55 * high:.1f}" r="{min(0.46 * high, 24 * u):.1f}" fill="{mix(p.accent, p.light, 0.72)}"/>'
    )
    drawing.layer("Plants")
    count = 9 if not plan.wide else 14
    random, p = Random(int(rng.integers(1 << 30))), in_bloom(p)
    order = sorted(range(count), key=lambda k: -abs(k - (count - 1) / 2))
    for k in order:
        spread = (k - (count - 1) / 2) / ((count - 1) / 2)
        x = middle + spread * 0.43 * (right - left)
        length = high * (0.62 + 0.26 * rng.random()) * (1 - 0.18 * (1 - abs(spread)))
        length = min(length, 0.84 * high)
        drawing.add(
            branch(random, (x, low + 1.5 * u), -90 - 8 * spread * rng.random(), length, 5.4 * u, p)
        )
    for _ in range(16):
        tone = mix(p.primary, p.deep, rng.uniform(0, 0.5))
        x, turn, size = rng.uniform(left, right), rng.uniform(-150, -30), rng.uniform(5, 9) * u
        drawing.add(leaf(x, low + 2 * u, turn, size, tone, mix(tone, p.light, 0.35)))
    drawing.layer("Lower ground")
    drawing.add(f'<rect y="{low:.1f}" width="{w:g}" height="{h - low:.1f}" fill="{p.deep}"/>')
    strip(drawing, plan)
