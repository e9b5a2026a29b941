"""Pictures from plain forms: orbits, tiles, sound, lanes, fruit, lanterns. All from the seed."""

import math

import numpy as np
from make_nature import ground, path, smooth, specks, strip

from kit.colour import lightness, mix, shade
from kit.plants import blossom


def orbit(drawing, plan, rng):
    """Worlds on rings around a centre outside the sheet's middle."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.17), mix(p.deep, p.primary, 0.35))
    left, top, right, low = plan.art
    cx = left + (right - left) * rng.uniform(0.6, 0.72)
    cy = (top + low) / 2
    reach = 0.5 * (low - top)
    drawing.layer("Stars")
    drawing.add(specks(rng, 260, (0, 0, w, h), plan, 0.2))
    drawing.define(
        f'<radialGradient id="star"><stop stop-color="{mix(p.accent, p.light, 0.75)}"/><stop offset="0.28" stop-color="{p.accent}"/>'
        f'<stop offset="0.3" stop-color="{p.accent}" stop-opacity="0.4"/><stop offset="1" stop-color="{p.accent}" stop-opacity="0"/></radialGradient>'
    )
    drawing.layer("Rings")
    radii = [reach * (0.36 + 0.2 * k) for k in range(9)]
    for k, r in enumerate(radii):
        dash = (
            f' stroke-dasharray="{0.2 * u:.2f} {0.9 * u:.2f}" stroke-linecap="round"'
            if k % 3 == 2
            else ""
        )
        drawing.add(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{r:.1f}" fill="none" stroke="{mix(p.light, p.second, 0.4)}"'
            f' stroke-width="{(0.28 if dash else 0.13) * u:.2f}" opacity="{max(0.08, 0.6 - 0.075 * k):.2f}"{dash}/>'
        )
    drawing.layer("Worlds")
    drawing.add(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.85 * reach:.1f}" fill="url(#star)"/>')
    # Angles that stay within the picture's part of the sheet, spread by the golden angle.
    angle = rng.uniform(0, 360)
    for k, r in enumerate(radii[:7]):
        for _ in range(40):
            angle += 137.5 / 5
            x, y = cx + r * math.cos(math.radians(angle)), cy + r * math.sin(math.radians(angle))
            size = u * (1.3, 2.2, 1.6, 3.6, 1.9, 2.8, 4.6)[k]
            if left + size < x < right - size and top + size < y < low - size:
                break
        else:
            continue
        tone = (p.second, p.primary, p.accent)[k % 3]
        tone = tone if lightness(tone) > 0.42 else shade(tone, 0.6)
        drawing.define(
            f'<radialGradient id="w{k}" cx="0.35" cy="0.32" r="0.8"><stop stop-color="{mix(tone, p.light, 0.5)}"/>'
            f'<stop offset="0.5" stop-color="{tone}"/><stop offset="1" stop-color="{mix(tone, p.deep, 0.75)}"/></radialGradient>'
        )
        drawing.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.2f}" fill="url(#w{k})"/>')
        if k in (3, 6):
            tilt = rng.uniform(-30, 30)
            drawing.add(
                f'<path d="M{-1.75 * size:.2f} 0A{1.75 * size:.2f} {0.45 * size:.2f} 0 0 0 {1.75 * size:.2f} 0"'
                f' transform="translate({x:.1f} {y:.1f}) rotate({tilt:.0f})" fill="none" stroke="{mix(tone, p.light, 0.6)}" stroke-width="{0.28 * u:.2f}"/>'
            )
    strip(drawing, plan)


def tiles(drawing, plan, rng):
    """A grid of quarter circles, discs, stripes and leaves, no two neighbours alike."""
    w, h, p = plan.width, plan.height, plan.palette
    drawing.layer("Paper")
    drawing.add(f'<rect width="{w:g}" height="{h:g}" fill="{p.light}"/>')
    left, top, right, low = plan.art
    across = max(2, round((right - left) / (14.6 * plan.u)))
    s = (right - left) / across
    down = max(1, int((low - top + 0.35 * s) / s))
    if down * s > low - top:
        across = math.ceil((right - left) / ((low - top) / down))
        s = (right - left) / across
        down = max(1, round((low - top) / s))
    start = (top + low - down * s) / 2
    tones = [
        p.deep,
        p.primary,
        p.second,
        p.accent,
        mix(p.second, p.light, 0.55),
        mix(p.primary, p.light, 0.75),
    ]
    previous = {}
    drawing.layer("Tiles")
    for row in range(down):
        for column in range(across):
            near = {previous.get((row - 1, column)), previous.get((row, column - 1))}
            form, back = next(
                pair
                for pair in iter(lambda: (int(rng.integers(8)), int(rng.integers(6))), None)
                if not any(other and (other[0] == pair[0] or other[1] == pair[1]) for other in near)
            )
            previous[row, column] = (form, back)
            front = int(
                rng.choice(
                    [
                        t
                        for t in range(6)
                        if abs(lightness(tones[t]) - lightness(tones[back])) > 0.16
                    ]
                )
            )
            turn = 90 * int(rng.integers(4))
            drawing.add(
                f'<g transform="translate({left + column * s:.2f} {start + row * s:.2f}) scale({s:.4f})">'
                f'<rect width="1.002" height="1.002" fill="{tones[back]}"/>'
                f'<g transform="rotate({turn} .5 .5)">{_tile(form, tones[front], tones[back], p.light)}</g></g>'
            )
    strip(drawing, plan)


def _tile(form, front, back, light):
    return (
        f'<path d="M0 0H1A1 1 0 0 1 0 1Z" fill="{front}"/>',
        f'<circle cx=".5" cy=".5" r=".36" fill="{front}"/><circle cx=".5" cy=".5" r=".14" fill="{back}"/>',
        f'<path d="M0 0A.5 .5 0 0 0 1 0ZM0 .5A.5 .5 0 0 0 1 .5Z" fill="{front}"/>',
        f'<path d="M0 0H.5A.5 .5 0 0 1 0 .5ZM1 1H.5A.5 .5 0 0 1 1 .5Z" fill="{front}"/>',
        "".join(f'<rect y="{k / 5:.2f}" width="1" height=".1" fill="{front}"/>' for k in range(5)),
        f'<path d="M0 0A1 1 0 0 1 1 1A1 1 0 0 1 0 0Z" fill="{front}"/>',
        f'<path d="M0 1A1 1 0 0 1 1 0V.33A.67 .67 0 0 0 .33 1ZM.62 1A.38 .38 0 0 1 1 .62V1Z" fill="{front}"/>',
        "".join(
            f'<circle cx="{0.2 + 0.3 * i:.1f}" cy="{0.2 + 0.3 * j:.1f}" r=".075" fill="{front}"/>'
            for i in range(3)
            for j in range(3)
        ),
    )[form]


def sound(drawing, plan, rng):
    """A disc of sound: fine rays whose lengths follow a rhythm, or a score of swinging lines."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.15), mix(p.deep, p.primary, 0.45))
    left, top, right, low = plan.art
    if rng.random() < 0.5:
        _rays(drawing, plan, rng, ((left + right) / 2, (top + low) / 2), 0.5 * (low - top))
    else:
        drawing.layer("Lines")
        x = np.linspace(left, right, 260)
        t = (x - left) / (right - left)
        for k in range(34):
            near = k / 33
            y = top + (low - top) * (0.28 + 0.68 * near)
            envelope = np.exp(-(((t - 0.5) / 0.2) ** 2)) * (0.4 + 0.6 * near)
            beat = np.abs(smooth(rng, 26, t)) + 0.5 * np.abs(smooth(rng, 60, t))
            line = y - 0.26 * (low - top) * envelope * beat * 0.75
            tone = mix(p.second, p.accent, near) if k % 5 else p.light
            drawing.add(
                f'<path d="{path(x, line)}V{low + 3 * u:.1f}H{left:.1f}Z" fill="{mix(shade(p.deep, 0.15), p.deep, near)}" stroke="none"/>'
                f'<path d="{path(x, line)}" fill="none" stroke="{tone}" stroke-width="{0.24 * u:.2f}" stroke-linejoin="round"/>'
            )
        drawing.add(
            f'<rect x="{left:.1f}" y="{low:.1f}" width="{right - left:.1f}" height="{h - low:.1f}" fill="{p.deep}"/>'
        )
    strip(drawing, plan)


def _rays(drawing, plan, rng, centre, reach):
    u, p = plan.u, plan.palette
    cx, cy = centre
    drawing.layer("Rays")
    count, inner = 150, 0.34 * reach
    angles = np.linspace(0, math.tau, count, endpoint=False)
    beat = np.abs(smooth(rng, 22, np.linspace(0, 1, count))) * 0.75 + 0.3 * rng.random(count)
    beat = np.clip(
        beat * np.minimum(1, np.minimum(np.arange(count), count - np.arange(count)) / 9 + 0.4),
        0.05,
        1,
    )
    for k, angle in enumerate(angles):
        end = inner * 1.12 + (reach - inner * 1.12) * beat[k]
        tone = mix(p.accent, p.second, 0.5 + 0.5 * math.sin(angle * 2 + 0.6))
        c, s = math.cos(angle), math.sin(angle)
        drawing.add(
            f'<path d="M{cx + c * inner * 1.12:.2f} {cy + s * inner * 1.12:.2f}L{cx + c * end:.2f} {cy + s * end:.2f}"'
            f' stroke="{tone}" stroke-width="{0.028 * reach:.2f}" stroke-linecap="round"/>'
        )
    drawing.layer("Record")
    drawing.add(
        f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{inner:.1f}" fill="{shade(p.deep, 0.1)}"/>'
    )
    for k in range(9):
        drawing.add(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{inner * (0.45 + 0.058 * k):.2f}" fill="none" stroke="{p.light}" stroke-width="{0.07 * u:.2f}" opacity="0.35"/>'
        )
    drawing.add(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.36 * inner:.2f}" fill="{p.accent}"/>')
    drawing.add(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.06 * inner:.2f}" fill="{p.deep}"/>')


def lanes(drawing, plan, rng):
    """The bend of a running track, lanes in the palette, and one that is ahead."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, shade(p.deep, 0.18), p.deep)
    left, top, right, low = plan.art
    # The outer lane touches the top of the picture at its right edge and leaves it at its lower left.
    across, high = 1.04 * (right - left), low - top
    below = max(0.1 * high, (across**2 - high**2) / (2 * high))
    cx, cy, outer = right, low + below, high + below
    lane = 5.0 * u
    drawing.define(
        f'<clipPath id="field"><rect x="{left:.1f}" y="{top - 2 * u:.1f}" width="{right - left:.1f}" height="{low - top + 2 * u:.1f}"/></clipPath>'
    )
    drawing.layer("Lanes")
    marks = []
    tones = [p.primary, mix(p.primary, p.deep, 0.18)]
    number, r = 0, outer
    while r > lane * 2:
        marks.append(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{r:.1f}" fill="{tones[number % 2]}" stroke="{p.light}" stroke-width="{0.28 * u:.2f}"/>'
        )
        r, number = r - lane, number + 1
    for k in range(3):
        radius = outer - lane * (k * 2 + 0.5 + rng.integers(2))
        # Between where the lane enters the picture and where it leaves it.
        enter = math.pi + math.asin(min(1, below / radius))
        first = enter + (1.5 * math.pi - enter) * rng.uniform(0.05, 0.2)
        last = first + (1.5 * math.pi - first) * (0.85, 0.6, 0.4)[k]
        points = [
            f"{cx + radius * math.cos(a):.1f} {cy + radius * math.sin(a):.1f}"
            for a in (first, last)
        ]
        marks.append(
            f'<path d="M{points[0]}A{radius:.1f} {radius:.1f} 0 0 1 {points[1]}" fill="none" stroke="{(p.accent, p.second, p.light)[k]}"'
            f' stroke-width="{0.44 * lane:.2f}" stroke-linecap="round"/>'
        )
    drawing.add(f'<g clip-path="url(#field)">{"".join(marks)}</g>')
    strip(drawing, plan)


def fruit(drawing, plan, rng):
    """Cut fruit seen from above, laid out like a market stall."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    drawing.layer("Cloth")
    drawing.add(f'<rect width="{w:g}" height="{h:g}" fill="{p.light}"/>')
    left, top, right, low = plan.art
    drawing.define(
        f'<clipPath id="stall"><rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{low - top:.1f}"/></clipPath>'
    )
    drawing.layer("Fruit")
    cloth = mix(p.second, p.light, 0.55)
    placed, parts = (
        [],
        [
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{low - top:.1f}" fill="{cloth}"/>'
        ],
    )
    high = low - top
    for share, tries in (
        (0.34, 40),
        (0.24, 200),
        (0.16, 400),
        (0.1, 600),
        (0.05, 900),
        (0.025, 900),
    ):
        for _ in range(tries):
            size = share * high * rng.uniform(0.85, 1.1)
            x, y = (
                rng.uniform(left - 0.5 * size, right + 0.5 * size),
                rng.uniform(top - 0.4 * size, low + 0.4 * size),
            )
            if all(math.hypot(x - a, y - b) > size + c + 0.6 * u for a, b, c in placed):
                placed.append((x, y, size))
                parts.append(_slice(rng, x, y, size, p, small=share < 0.1))
    drawing.add(f'<g clip-path="url(#stall)">{"".join(parts)}</g>')
    strip(drawing, plan)


def _slice(rng, x, y, r, p, small):
    skin = (p.accent, p.primary, p.second, p.primary)[rng.integers(4)]
    if small:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{skin}"/>'
    flesh, parts = mix(skin, p.light, 0.42), []
    parts.append(f'<circle r="1" fill="{skin}"/><circle r=".91" fill="{p.light}"/>')
    if rng.random() < 0.7:
        count = int(rng.integers(8, 11))
        for k in range(count):
            parts.append(
                f'<path d="M.1 0L.72 {-0.6 * math.sin(math.pi / count):.3f}Q.92 0 .72 {0.6 * math.sin(math.pi / count):.3f}Z"'
                f' transform="rotate({360 * k / count:.1f})" fill="{flesh}" stroke="{flesh}" stroke-width=".1" stroke-linejoin="round"/>'
            )
    else:
        parts.append(f'<circle r=".84" fill="{mix(skin, p.light, 0.2)}"/>')
        for k in range(14):
            parts.append(
                f'<ellipse cx="{(0.34, 0.56)[k % 2]}" rx=".07" ry=".035" transform="rotate({360 * k / 14:.1f})" fill="{p.deep}"/>'
            )
    return f'<g transform="translate({x:.1f} {y:.1f}) rotate({rng.uniform(0, 90):.0f}) scale({r:.2f})">{"".join(parts)}</g>'


def lanterns(drawing, plan, rng):
    """A red evening: lanterns on their cords, plum blossom, clouds, a golden frame."""
    w, h, u, p = plan.width, plan.height, plan.u, plan.palette
    ground(drawing, plan, p.primary, mix(p.primary, p.deep, 0.6))
    gold = p.accent
    drawing.define(
        f'<pattern id="waves" width="{6 * u:.2f}" height="{3 * u:.2f}" patternUnits="userSpaceOnUse">'
        + "".join(
            f'<circle cx="{cx * u:.2f}" cy="{cy * u:.2f}" r="{r * u:.2f}" fill="none" stroke="{gold}" stroke-width="{0.12 * u:.2f}"/>'
            for cx, cy in ((0, 3), (6, 3), (3, 1.5), (3, 4.5), (0, 0), (6, 0))
            for r in (0.9, 1.8, 2.7)
        )
        + "</pattern>"
        + f'<radialGradient id="glow"><stop stop-color="{gold}" stop-opacity="0.5"/><stop offset="1" stop-color="{gold}" stop-opacity="0"/></radialGradient>'
    )
    drawing.layer("Pattern")
    drawing.add(f'<rect width="{w:g}" height="{h:g}" fill="url(#waves)" opacity="0.07"/>')
    drawing.add(
        f'<ellipse cx="{w / 2:.1f}" cy="{0.36 * h:.1f}" rx="{0.55 * w:.1f}" ry="{0.32 * h:.1f}" fill="url(#glow)" opacity="0.5"/>'
    )
    floor = plan.details_top - 5 * u
    drawing.layer("Waves")
    _waves(drawing, plan, floor, gold)
    drawing.layer("Lanterns")
    edge = 3.2 * u
    title = plan.title_size * 1.28 * len(plan.columns) / 2 if plan.upright else 0
    for side in (-1, 1):
        x = w / 2 + side * ((title + w / 2 - edge) / 2 if plan.upright else 0.37 * w)
        size = min(6.5 * u, 0.3 * (w / 2 - edge - title)) if plan.upright else 5.2 * u
        head = 0.18 * h + (1 + side) * 3 * u if plan.upright else plan.art[1] + size
        _lantern(drawing, x, head, size, edge, p)
        if not plan.upright:
            _lantern(
                drawing, x - side * 14 * u, head + 4 * u, 0.7 * size, edge if plan.full else edge, p
            )
    drawing.layer("Plum blossom")
    for side in (-1, 1):
        x, y = w / 2 + side * (w / 2 - edge), floor - 9 * u
        twig = [(x, y)]
        for _ in range(7):
            x -= side * rng.uniform(1.5, 3.6) * u
            y -= rng.uniform(-0.6, 2.8) * u
            twig.append((x, y))
        drawing.add(
            f'<path d="{path(*zip(*twig, strict=True))}" fill="none" stroke="{shade(p.deep, 0.18)}" stroke-width="{0.7 * u:.2f}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
        for bx, by in twig[1:]:
            for _ in range(2):
                drawing.add(
                    blossom(
                        bx + rng.uniform(-1.4, 1.4) * u,
                        by + rng.uniform(-1.6, 1.2) * u,
                        rng.uniform(0.8, 1.5) * u,
                        mix(p.light, p.second, rng.uniform(0, 0.45)),
                        gold,
                        rng.uniform(0, 72),
                    )
                )
    drawing.layer("Frame")
    for inset, thick in ((edge, 0.3), (edge + 0.9 * u, 0.1)):
        drawing.add(
            f'<rect x="{inset:.2f}" y="{inset:.2f}" width="{w - 2 * inset:.2f}" height="{h - 2 * inset:.2f}" fill="none" stroke="{gold}" stroke-width="{thick * u:.2f}"/>'
        )


def _lantern(drawing, x, y, r, top, p):
    gold, red = p.accent, shade(p.second, 0.58)
    parts = [
        f'<path d="M0 {top - y:.1f}V{-0.95 * r:.2f}" stroke="{gold}" stroke-width="{0.06 * r:.2f}"/>'
    ]
    parts.append(f'<circle r="{2.1 * r:.2f}" fill="url(#glow)"/>')
    for k, wide in enumerate((1.18, 0.92, 0.62, 0.3)):
        parts.append(
            f'<ellipse rx="{wide * r:.2f}" ry="{0.88 * r:.2f}" fill="{mix(red, gold, 0.14 * k)}" stroke="{gold}" stroke-width="{0.035 * r:.2f}"/>'
        )
    for at in (-0.98, 0.78):
        parts.append(
            f'<rect x="{-0.5 * r:.2f}" y="{at * r:.2f}" width="{r:.2f}" height="{0.2 * r:.2f}" rx="{0.05 * r:.2f}" fill="{gold}"/>'
        )
    for k in range(-3, 4):
        parts.append(
            f'<path d="M{0.1 * k * r:.2f} {0.98 * r:.2f}v{(1.15 - 0.05 * abs(k)) * r:.2f}" stroke="{gold}" stroke-width="{0.045 * r:.2f}"/>'
        )
    drawing.add(f'<g transform="translate({x:.1f} {y:.1f})">{"".join(parts)}</g>')


def _waves(drawing, plan, floor, gold):
    """Rows of round waves that rise towards both edges, and the dark water under them."""
    w, u, p = plan.width, plan.u, plan.palette
    r = w / 22
    parts = []
    for row in range(5):
        y = floor - (4 - row) * 0.5 * r
        for column in range(-1, 13):
            x = (column + 0.5 * (row % 2)) * 2 * r
            if abs(x - w / 2) < (0.46 - 0.13 * row) * w:
                continue
            tone = mix(p.primary, p.deep, 0.2 + 0.08 * row)
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{ring * r:.1f}" fill="{tone}" stroke="{gold}" stroke-opacity=".8" stroke-width="{0.14 * u:.2f}"/>'
                for ring in (1, 0.7, 0.4)
            ]
    parts.append(
        f'<rect y="{floor:.1f}" width="{w:g}" height="{plan.height - floor:.1f}" fill="{mix(p.primary, p.deep, 0.62)}"/>'
        f'<path d="M0 {floor:.1f}H{w:g}" stroke="{gold}" stroke-width="{0.14 * u:.2f}"/>'
    )
    drawing.add("".join(parts))
