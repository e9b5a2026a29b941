"""Drawn decoration: for every look an SVG behind its title slide, and a touch behind the others."""

from __future__ import annotations

import itertools
import math
import random

from kit.colour import mix

COVERS = ("title", "closing")


def behind(dress, kind, number):
    """The decoration of a slide as an `<svg>`; "" where there is none."""
    cover = kind in COVERS
    dice = random.Random(f"{dress.seed} {kind if cover else number}")
    drawn = DRAWN[dress.name](dress, dice, cover, f"{kind}{number}")
    if not drawn:
        return ""
    return f'<svg class="art" viewBox="0 0 1280 720" aria-hidden="true">{"".join(drawn)}</svg>'


def _tag(name, *inner, **attributes):
    """An SVG element; underscores in attribute names are hyphens, numbers are rounded."""
    said = "".join(
        f' {key.replace("_", "-")}="{round(value, 1) if isinstance(value, float) else value}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{''.join(inner)}</{name}>" if inner else f"<{name}{said}/>"


def _disc(x, y, radius, fill, **more):
    return _tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def _arcs(dress, dice, cover, name):
    """A quilt of quarter circles in four colours."""
    if not cover:
        return []
    colours = [dress.primary, dress.second, dress.accent, dress.ink]
    cell, drawn = 240, []
    for x, y in itertools.product((800, 1040), (0, 240, 480)):
        ground, *rings = dice.sample(colours, 4)
        cx, cy = x + dice.choice((0, cell)), y + dice.choice((0, cell))
        square = {"x": x, "y": y, "width": cell, "height": cell}
        clip = f"{name}-{x}-{y}"
        drawn.append(_tag("clipPath", _tag("rect", **square), id=clip))
        discs = (
            _disc(cx, cy, cell * share, colour)
            for share, colour in zip((1.0, 0.66, 0.33), rings, strict=True)
        )
        drawn.append(
            _tag("g", _tag("rect", fill=ground, **square), *discs, clip_path=f"url(#{clip})")
        )
    return drawn


def _blocks(dress, dice, cover, name):
    """Squares, discs and quarters on a grid."""
    if not cover:
        return []
    size, drawn = 120, []
    colours = [dress.second, dress.accent, mix(dress.primary, "#000000", 0.25), "#ffffff"]
    for x, y in itertools.product(range(920, 1280, size), range(0, 720, size)):
        if dice.random() < 0.34:
            continue
        colour, shape = dice.choice(colours), dice.randrange(3)
        if shape == 0:
            drawn.append(_tag("rect", x=x, y=y, width=size, height=size, fill=colour))
        elif shape == 1:
            drawn.append(_disc(x + size / 2, y + size / 2, size / 2, colour))
        else:
            path = f"M{x} {y}h{size}a{size} {size} 0 0 1-{size} {size}z"
            drawn.append(_tag("path", d=path, fill=colour))
    return drawn


def _orbits(dress, dice, cover, name):
    """A planet with its moons among stars."""
    drawn = [
        _disc(
            dice.uniform(0, 1280), dice.uniform(0, 720), dice.uniform(0.6, 1.9), dress.ink,
            opacity=f"{dice.uniform(0.12, 0.5):.2f}",
        )
        for _ in range(70 if cover else 12)
    ]  # fmt: skip
    if not cover:
        return drawn
    x, y = 1090, 360
    for k in range(6):
        radius, turn = 130 + 62 * k, dice.random() * math.tau
        drawn.append(
            _disc(
                x, y, radius, "none", stroke=dress.second, stroke_opacity=f"{0.55 - 0.07 * k:.2f}"
            )
        )
        moon = x + radius * math.cos(turn), y + radius * math.sin(turn)
        if moon[0] > 850:  # a moon further left would stand in the title
            colour = dice.choice([dress.accent, dress.second, dress.ink])
            drawn.append(_disc(*moon, dice.uniform(5, 15), colour))
    stops = ((0, mix(dress.accent, "#ffffff", 0.35)), (0.5, dress.accent), (1, dress.primary))
    light = (_tag("stop", offset=place, stop_color=colour) for place, colour in stops)
    drawn.append(_tag("radialGradient", *light, id=f"{name}-light", cx=0.35, cy=0.3))
    return [*drawn, _disc(x, y, 78, f"url(#{name}-light)")]


def _blob(x, y, radius, dice):
    """The path of a soft irregular round."""
    count = 7
    points = []
    for k in range(count):
        turn = k * math.tau / count
        across, along = (radius * dice.uniform(0.78, 1.18) for _ in range(2))
        points.append((x + across * math.cos(turn), y + along * math.sin(turn)))
    ahead = [*points[1:], points[0]]
    middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in zip(points, ahead, strict=True)]
    path = f"M{middles[-1][0]:.0f} {middles[-1][1]:.0f}"
    for (px, py), (mx, my) in zip(points, middles, strict=True):
        path += f"Q{px:.0f} {py:.0f} {mx:.0f} {my:.0f}"
    return path + "Z"


def _blobs(dress, dice, cover, name):
    """Soft rounds with confetti over them; on other slides one that looks in at a corner."""
    if not cover:
        x, y = 1275, 15
        return [
            _tag("path", d=_blob(x, y, 150, dice), fill=dress.second, opacity=0.4),
            _disc(x - 165, 40, 13, dress.accent),
        ]
    places = (
        (1105, 330, 300, mix(dress.second, dress.paper, 0.35)),
        (1190, 610, 210, dress.accent),
        (900, 650, 80, dress.primary),
        (980, 90, 60, dress.accent),
        (1080, 330, 190, dress.primary),
    )
    drawn = [_tag("path", d=_blob(x, y, r, dice), fill=colour) for x, y, r, colour in places]
    for _ in range(26):
        colour = dice.choice([dress.paper, dress.second, dress.accent])
        spot = dice.uniform(850, 1260), dice.uniform(20, 700)
        drawn.append(_disc(*spot, dice.uniform(4, 11), colour))
    return drawn


def _mountains(dress, dice, cover, name):
    """Ranges in washes of ink, and a sun."""
    if not cover:
        path = f"M0 720V{dice.randrange(690, 700)}Q320 670 640 696T1280 684V720Z"
        return [_tag("path", d=path, fill=dress.second, opacity=0.25)]
    drawn = [_disc(1010, 150, 58, dress.accent, opacity=0.88)]
    for layer in range(4):
        base, x, points = 470 + layer * 55, -40.0, []
        while x < 1330:
            rise = dice.uniform(10, 130 - 18 * layer) * (1 if len(points) % 2 else 0.25)
            points.append((x, base - rise))
            x += dice.uniform(60, 150)
        path = f"M-40 720L{points[0][0]:.0f} {points[0][1]:.0f}"
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            bend = (x1 - x0) * 0.45
            path += f"C{x0 + bend:.0f} {y0:.0f} {x1 - bend:.0f} {y1:.0f} {x1:.0f} {y1:.0f}"
        tone = mix(dress.second, dress.ink, layer / 4)
        wash = (
            _tag("stop", offset=0, stop_color=tone, stop_opacity=f"{0.4 + 0.14 * layer:.2f}"),
            _tag("stop", offset=1, stop_color=dress.paper, stop_opacity=0.25),
        )
        ink = f"{name}-ink{layer}"
        drawn.append(_tag("linearGradient", *wash, id=ink, x1=0, y1=0, x2=0, y2=1))
        drawn.append(_tag("path", d=f"{path}L1330 720Z", fill=f"url(#{ink})"))
    return drawn


DRAWN = {
    "editorial": _arcs,
    "swiss": _blocks,
    "night": _orbits,
    "soft": _blobs,
    "ink": _mountains,
}
