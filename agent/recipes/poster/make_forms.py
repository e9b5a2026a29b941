"""Pictures from plain forms: orbits, tiles, sound. All vectors, all from the seed."""

import math

import numpy as np
from kit.colour import lightness, mix, shade
from kit.shapes import area, circle, data, group, line, move, rect
from make_tools import along, below, ground, paper, smooth, specks, strip, whole

WORLDS = (1.3, 2.2, 1.6, 3.6, 1.9, 2.8, 4.6)
"""Their sizes from the innermost ring outwards, in the plan's `u`."""


def orbit(drawing, plan, rng):
    """Worlds on rings around a star."""
    u, p = plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.17), mix(p.deep, p.primary, 0.35))
    left, top, right, low = plan.art
    cx, cy = left + (right - left) * rng.uniform(0.6, 0.72), (top + low) / 2
    reach = 0.5 * (low - top)
    drawing.layer("Stars")
    specks(drawing, plan, rng, 260, whole(plan), 0.2)
    drawing.layer("Rings")
    radii = [reach * (0.36 + 0.2 * k) for k in range(9)]
    for k, r in enumerate(radii):
        dotted, faint = k % 3 == 2, max(0.08, 0.6 - 0.075 * k)
        drawing.add(
            circle(
                cx, cy, r, stroke=mix(p.light, p.second, 0.4), opacity=faint,
                stroke_width=(0.28 if dotted else 0.13) * u,
                stroke_dasharray=data(0.2 * u, 0.9 * u) if dotted else None,
                stroke_linecap="round" if dotted else None,
            )
        )  # fmt: skip
    core = mix(p.accent, p.light, 0.75)
    star = drawing.glow("star", (0, core), (0.28, p.accent), (0.3, p.accent, 0.4), (1, p.accent, 0))
    drawing.layer("Worlds")
    drawing.add(circle(cx, cy, 0.85 * reach, star))
    # Angles that stay within the picture's part of the sheet, spread by the golden angle.
    angle = rng.uniform(0, 360)
    for k, r in enumerate(radii[: len(WORLDS)]):
        size = u * WORLDS[k]
        for _ in range(40):
            angle += 137.5 / 5
            x, y = cx + r * math.cos(math.radians(angle)), cy + r * math.sin(math.radians(angle))
            if left + size < x < right - size and top + size < y < low - size:
                _world(drawing, plan, rng, k, x, y, size)
                break
    strip(drawing, plan)


def _world(drawing, plan, rng, k, x, y, size):
    p = plan.palette
    tone = (p.second, p.primary, p.accent)[k % 3]
    tone = tone if lightness(tone) > 0.42 else shade(tone, 0.6)
    light, dark = mix(tone, p.light, 0.5), mix(tone, p.deep, 0.75)
    ball = drawing.glow(f"w{k}", (0, light), (0.5, tone), (1, dark), cx=0.35, cy=0.32, r=0.8)
    drawing.add(circle(x, y, size, ball))
    if k in (3, 6):
        wide = 1.75 * size
        ring = data("M", -wide, 0, "A", wide, 0.45 * size, 0, 0, 0, wide, 0)
        turned = move(x, y, rng.uniform(-30, 30))
        drawing.add(line(ring, mix(tone, p.light, 0.6), 0.28 * plan.u, transform=turned))


def tiles(drawing, plan, rng):
    """A grid of quarter circles, discs, stripes and leaves, no two neighbours alike."""
    p = plan.palette
    paper(drawing, plan)
    left, top, right, low = plan.art
    across = max(2, round((right - left) / (14.6 * plan.u)))
    s = (right - left) / across
    down = max(1, int((low - top + 0.35 * s) / s))
    if down * s > low - top:
        across = math.ceil((right - left) / ((low - top) / down))
        s = (right - left) / across
        down = max(1, round((low - top) / s))
    start = (top + low - down * s) / 2
    pale = [mix(p.second, p.light, 0.55), mix(p.primary, p.light, 0.75)]
    tones = [p.deep, p.primary, p.second, p.accent, *pale]
    before = {}
    drawing.layer("Tiles")
    for row in range(down):
        for column in range(across):
            near = [before.get((row - 1, column)), before.get((row, column - 1))]
            free = [
                (form, back)
                for form in range(FORMS)
                for back in range(6)
                if not any(other and (other[0] == form or other[1] == back) for other in near)
            ]
            form, back = before[row, column] = free[rng.integers(len(free))]
            grey = lightness(tones[back])
            fronts = [tone for tone in tones if abs(lightness(tone) - grey) > 0.16]
            front, turn = fronts[rng.integers(len(fronts))], 90 * int(rng.integers(4))
            figure = group(_figure(form, front, tones[back]), transform=f"rotate({turn} .5 .5)")
            place = move(left + column * s, start + row * s, scale=s)
            drawing.add(group([rect((0, 0, 1.002, 1.002), tones[back]), figure], transform=place))
    strip(drawing, plan)


FORMS = 8


def _figure(form, front, back):
    """One of the forms, on a square of side 1."""
    paths = {
        0: "M0 0H1A1 1 0 0 1 0 1Z",
        1: "M0 0A.5 .5 0 0 0 1 0ZM0 .5A.5 .5 0 0 0 1 .5Z",
        2: "M0 0H.5A.5 .5 0 0 1 0 .5ZM1 1H.5A.5 .5 0 0 1 1 .5Z",
        3: "M0 0A1 1 0 0 1 1 1A1 1 0 0 1 0 0Z",
        4: "M0 1A1 1 0 0 1 1 0V.33A.67 .67 0 0 0 .33 1ZM.62 1A.38 .38 0 0 1 1 .62V1Z",
    }
    if form in paths:
        return [area(paths[form], front)]
    if form == 5:
        return [rect((0, k / 5, 1, k / 5 + 0.1), front) for k in range(5)]
    if form == 6:
        return [circle(0.5, 0.5, 0.36, front), circle(0.5, 0.5, 0.14, back)]
    return [circle(0.2 + 0.3 * i, 0.2 + 0.3 * j, 0.075, front) for i in range(3) for j in range(3)]


def sound(drawing, plan, rng):
    """A record with rays that follow a rhythm, or a score of swinging lines."""
    p = plan.palette
    ground(drawing, plan, shade(p.deep, 0.15), mix(p.deep, p.primary, 0.45))
    (_rays if rng.random() < 0.5 else _swing)(drawing, plan, rng)
    strip(drawing, plan)


def _swing(drawing, plan, rng):
    u, p = plan.u, plan.palette
    left, top, right, low = plan.art
    drawing.layer("Lines")
    x = np.linspace(left, right, 260)
    t = (x - left) / (right - left)
    for k in range(34):
        near = k / 33
        envelope = np.exp(-(((t - 0.5) / 0.2) ** 2)) * (0.4 + 0.6 * near)
        beat = np.abs(smooth(rng, 26, t)) + 0.5 * np.abs(smooth(rng, 60, t))
        y = top + (low - top) * (0.28 + 0.68 * near - 0.195 * envelope * beat)
        tone = mix(p.second, p.accent, near) if k % 5 else p.light
        drawing.add(below(x, y, low + 3 * u, mix(shade(p.deep, 0.15), p.deep, near)))
        drawing.add(line(along(x, y), tone, 0.24 * u))
    drawing.add(rect((left, low, right, plan.height), p.deep))


def _rays(drawing, plan, rng):
    u, p = plan.u, plan.palette
    left, top, right, low = plan.art
    cx, cy, reach = (left + right) / 2, (top + low) / 2, 0.5 * (low - top)
    count, inner = 150, 0.34 * reach
    number = np.arange(count)
    beat = np.abs(smooth(rng, 22, number / (count - 1))) * 0.75 + 0.3 * rng.random(count)
    # Where the circle closes, the rhythm begins and ends softly.
    beat = np.clip(beat * np.minimum(1, np.minimum(number, count - number) / 9 + 0.4), 0.05, 1)
    drawing.layer("Rays")
    for k in range(count):
        angle = math.tau * k / count
        c, s, start = math.cos(angle), math.sin(angle), 1.12 * inner
        end = start + (reach - start) * beat[k]
        ray = data("M", cx + c * start, cy + s * start, "L", cx + c * end, cy + s * end)
        tone = mix(p.accent, p.second, 0.5 + 0.5 * math.sin(angle * 2 + 0.6))
        drawing.add(line(ray, tone, 0.028 * reach))
    drawing.layer("Record")
    drawing.add(circle(cx, cy, inner, shade(p.deep, 0.1)))
    for k in range(9):
        r = inner * (0.45 + 0.058 * k)
        drawing.add(circle(cx, cy, r, stroke=p.light, stroke_width=0.07 * u, opacity=0.35))
    drawing.add(circle(cx, cy, 0.36 * inner, p.accent))
    drawing.add(circle(cx, cy, 0.06 * inner, p.deep))
