"""Pictures of occasions: a race, a market, a festival. All vectors, all from the seed."""

import math

from kit.colour import mix, shade
from kit.plants import blossom
from kit.shapes import area, circle, data, element, group, line, move, rect, through
from make_tools import ground, paper, strip, whole


def lanes(drawing, plan, rng):
    """The bend of a running track, with runners' trails in three lanes."""
    u, p = plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.18), p.deep)
    left, top, right, low = plan.art
    # The outer lane touches the picture's top at the right edge and leaves it at the lower left.
    across, high = 1.04 * (right - left), low - top
    below = max(0.1 * high, (across**2 - high**2) / (2 * high))
    cx, cy, outer = right, low + below, high + below
    lane, marks = 5.0 * u, []
    tones = [p.primary, mix(p.primary, p.deep, 0.18)]
    for number in range(int(outer / lane) - 1):
        r, tone = outer - lane * number, tones[number % 2]
        marks.append(circle(cx, cy, r, tone, stroke=p.light, stroke_width=0.28 * u))
    for k, tone in enumerate((p.accent, p.second, p.light)):
        r = outer - lane * (k * 2 + 0.5 + rng.integers(2))
        # Between where the lane enters the picture and where it leaves it.
        enter = math.pi + math.asin(min(1, below / r))
        first = enter + (1.5 * math.pi - enter) * rng.uniform(0.05, 0.2)
        last = first + (1.5 * math.pi - first) * (0.85, 0.6, 0.4)[k]
        (x0, y0), (x1, y1) = (
            (cx + r * math.cos(angle), cy + r * math.sin(angle)) for angle in (first, last)
        )
        marks.append(line(data("M", x0, y0, "A", r, r, 0, 0, 1, x1, y1), tone, 0.44 * lane))
    drawing.layer("Lanes")
    field = drawing.clip("field", (left, top - 2 * u, right, low))
    drawing.add(group(marks, clip_path=field))
    strip(drawing, plan)


def fruit(drawing, plan, rng):
    """Cut fruit seen from above, laid out like a market stall."""
    p = plan.palette
    paper(drawing, plan)
    left, top, right, low = plan.art
    high, placed = low - top, []
    parts = [rect(plan.art, mix(p.second, p.light, 0.55))]
    sizes = ((0.34, 40), (0.24, 200), (0.16, 400), (0.1, 600), (0.05, 900), (0.025, 900))
    for share, tries in sizes:
        for _ in range(tries):
            r = share * high * rng.uniform(0.85, 1.1)
            x = rng.uniform(left - 0.5 * r, right + 0.5 * r)
            y = rng.uniform(top - 0.4 * r, low + 0.4 * r)
            if all(math.hypot(x - a, y - b) > r + c + 0.6 * plan.u for a, b, c in placed):
                placed.append((x, y, r))
                skin = (p.accent, p.primary, p.second, p.primary)[rng.integers(4)]
                whole_fruit = share < 0.1
                parts.append(
                    circle(x, y, r, skin) if whole_fruit else _slice(rng, x, y, r, skin, p)
                )
    drawing.layer("Fruit")
    drawing.add(group(parts, clip_path=drawing.clip("stall", plan.art)))
    strip(drawing, plan)


def _slice(rng, x, y, r, skin, p):
    """A citrus in segments, or a melon with seeds, on a circle of radius 1."""
    parts = [circle(0, 0, 1, skin), circle(0, 0, 0.91, p.light)]
    if rng.random() < 0.7:
        flesh, count = mix(skin, p.light, 0.42), int(rng.integers(8, 11))
        wide = 0.6 * math.sin(math.pi / count)
        segment = data("M", 0.1, 0, "L", 0.72, -wide, "Q", 0.92, 0, 0.72, wide, "Z")
        for k in range(count):
            turn = f"rotate({360 * k / count:.1f})"
            soft = {"stroke": flesh, "stroke_width": 0.1, "stroke_linejoin": "round"}
            parts.append(area(segment, flesh, transform=turn, **soft))
    else:
        parts.append(circle(0, 0, 0.84, mix(skin, p.light, 0.2)))
        for k in range(14):
            turn, at = f"rotate({360 * k / 14:.1f})", (0.34, 0.56)[k % 2]
            parts.append(element("ellipse", cx=at, rx=0.07, ry=0.035, fill=p.deep, transform=turn))
    return group(parts, transform=move(x, y, rng.uniform(0, 90), r))


def lanterns(drawing, plan, rng):
    """A red evening: lanterns on their cords, plum blossom, waves, a golden frame."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    gold, edge, floor = p.accent, 3.2 * u, plan.details_top - 5 * u
    ground(drawing, plan, p.primary, mix(p.primary, p.deep, 0.6))
    glow = drawing.glow("glow", (0, gold, 0.5), (1, gold, 0))
    drawing.layer("Glow")
    light = {"cx": w / 2, "cy": 0.36 * h, "rx": 0.55 * w, "ry": 0.32 * h}
    drawing.add(element("ellipse", fill=glow, opacity=0.5, **light))
    drawing.layer("Waves")
    _waves(drawing, plan, floor, gold)
    drawing.layer("Lanterns")
    title = plan.title_size * 1.28 * len(plan.columns) / 2 if plan.upright else 0
    for side in (-1, 1):
        if plan.upright:
            x, size = (title + w / 2 - edge) / 2, min(6.5 * u, 0.3 * (w / 2 - edge - title))
            _lantern(drawing, w / 2 + side * x, 0.18 * h + (1 + side) * 3 * u, size, edge, p, glow)
        else:
            x, y = w / 2 + side * 0.37 * w, plan.art[1] + 5.2 * u
            _lantern(drawing, x, y, 5.2 * u, edge, p, glow)
            _lantern(drawing, x - side * 14 * u, y + 4 * u, 3.6 * u, edge, p, glow)
    drawing.layer("Plum blossom")
    for side in (-1, 1):
        _plum(drawing, plan, rng, side, w / 2 + side * (w / 2 - edge), floor - 9 * u)
    drawing.layer("Frame")
    for by, thick in ((edge, 0.3), (edge + 0.9 * u, 0.1)):
        drawing.add(rect((by, by, w - by, h - by), stroke=gold, stroke_width=thick * u))


def _plum(drawing, plan, rng, side, x, y):
    """A twig in blossom that reaches in from a side."""
    u, p, twig = plan.u, plan.palette, [(x, y)]
    for _ in range(7):
        x -= side * rng.uniform(1.5, 3.6) * u
        y -= rng.uniform(-0.6, 2.8) * u
        twig.append((x, y))
    drawing.add(line(through(twig), shade(p.deep, 0.18), 0.7 * u))
    for at_x, at_y in twig[1:] * 2:
        bx, by = at_x + rng.uniform(-1.4, 1.4) * u, at_y + rng.uniform(-1.6, 1.2) * u
        petal, size = mix(p.light, p.second, rng.uniform(0, 0.45)), rng.uniform(0.8, 1.5) * u
        drawing.add(blossom(bx, by, size, petal, p.accent, rng.uniform(0, 72)))


def _lantern(drawing, x, y, r, top, p, glow):
    """A lantern of radius `r` on a cord from `top`."""
    gold, red = p.accent, shade(p.second, 0.58)
    parts = [
        line(data("M", 0, top - y, "V", -0.95 * r), gold, 0.06 * r),
        circle(0, 0, 2.1 * r, glow),
    ]
    for k, wide in enumerate((1.18, 0.92, 0.62, 0.3)):
        rib = {"rx": wide * r, "ry": 0.88 * r, "stroke": gold, "stroke_width": 0.035 * r}
        parts.append(element("ellipse", fill=mix(red, gold, 0.14 * k), **rib))
    parts += [
        rect((-0.5 * r, at * r, 0.5 * r, (at + 0.2) * r), gold, rx=0.05 * r) for at in (-0.98, 0.78)
    ]
    threads = (
        data("M", 0.1 * k * r, 0.98 * r, "v", (1.15 - 0.05 * abs(k)) * r) for k in range(-3, 4)
    )
    parts += [line(thread, gold, 0.045 * r) for thread in threads]
    drawing.add(group(parts, transform=move(x, y)))


def _waves(drawing, plan, floor, gold):
    """Rows of round waves that rise towards both edges, and the dark water under them."""
    w, u, p, r = plan.width, plan.u, plan.palette, plan.width / 22
    for row in range(5):
        tone = mix(p.primary, p.deep, 0.2 + 0.08 * row)
        for column in range(-1, 13):
            x, y = (column + 0.5 * (row % 2)) * 2 * r, floor - (4 - row) * 0.5 * r
            if abs(x - w / 2) < (0.46 - 0.13 * row) * w:
                continue
            for ring in (1, 0.7, 0.4):
                edge = {"stroke": gold, "stroke_opacity": 0.8, "stroke_width": 0.14 * u}
                drawing.add(circle(x, y, ring * r, tone, **edge))
    left, _, right, bottom = whole(plan)
    drawing.add(rect((left, floor, right, bottom), mix(p.primary, p.deep, 0.62)))
    drawing.add(line(data("M", left, floor, "H", right), gold, 0.14 * u))
