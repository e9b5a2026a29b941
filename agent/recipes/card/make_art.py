"""The pictures of cards: each paints a panel and leaves its middle, or the box it says, for words."""

import math

from kit.colour import mix, shade
from kit.plants import blossom, branch, in_bloom, leaf, path


def rect(box, fill, more=""):
    left, top, right, bottom = box
    return (
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}"'
        f' height="{bottom - top:.2f}" fill="{fill}"{more}/>'
    )


def inset(box, by):
    left, top, right, bottom = box
    return (left + by, top + by, right - by, bottom - by)


def floral(drawing, panel, p, random):
    """A wreath of leaves and flowers."""
    drawing.add(rect(panel.full, p.light))
    cx, cy, u, p = panel.cx, panel.cy, panel.u, in_bloom(p)
    rx, ry = 0.395 * panel.width, 0.41 * panel.height
    count = 46
    for k in range(count):
        angle = math.tau * k / count + random.uniform(-0.04, 0.04)
        x, y = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        along = math.degrees(math.atan2(ry * math.cos(angle), -rx * math.sin(angle)))
        for side in (-1, 1):
            tone = mix(
                p.primary, random.choice([p.light, p.deep, p.light]), random.uniform(0.05, 0.45)
            )
            size = u * random.uniform(6, 10)
            drawing.add(
                leaf(
                    x,
                    y,
                    along + side * random.uniform(25, 65),
                    size,
                    tone,
                    mix(tone, p.light, 0.4),
                    random.uniform(-0.12, 0.12),
                )
            )
    placed = []
    for _ in range(300):
        # Flowers gather at the upper left and lower right of the wreath.
        angle = random.choice([1.25, 0.25]) * math.pi + random.gauss(0, 0.42)
        x = cx + rx * math.cos(angle) * random.uniform(0.97, 1.05)
        y = cy + ry * math.sin(angle) * random.uniform(0.97, 1.05)
        size = u * random.uniform(3, 6.6)
        if all(math.hypot(x - a, y - b) > 0.8 * (size + c) for a, b, c in placed):
            placed.append((x, y, size))
            tone = mix(
                random.choice([p.accent, p.second, p.accent]), p.light, random.uniform(0, 0.5)
            )
            drawing.add(
                blossom(x, y, size, tone, mix(p.deep, p.accent, 0.3), random.uniform(0, 72))
            )
        if len(placed) == 17:
            break
    return panel.middle(0.25, 0.24)


def meadow(drawing, panel, p, random):
    """Flowers that grow up from the foot of the card."""
    drawing.add(rect(panel.full, p.light))
    left, _, right, bottom = panel.full
    p, count = in_bloom(p), 8
    for k in sorted(range(count), key=lambda k: -abs(k - 3.5)):
        x = left + (right - left) * (k + 0.5) / count
        edge = abs(k - 3.5) / 3.5
        long = panel.height * (0.16 + 0.17 * edge + 0.07 * random.random())
        drawing.add(branch(random, (x, bottom), -90 + random.uniform(-9, 9), long, 8 * panel.u, p))
    for _ in range(22):
        tone = mix(p.primary, p.deep, random.uniform(0, 0.4))
        drawing.add(
            leaf(
                random.uniform(left, right),
                bottom + panel.u,
                random.uniform(-140, -40),
                random.uniform(7, 13) * panel.u,
                tone,
                mix(tone, p.light, 0.35),
            )
        )
    return (
        panel.left + 0.12 * panel.width,
        panel.top + 0.1 * panel.height,
        panel.right - 0.12 * panel.width,
        panel.top + 0.62 * panel.height,
    )


def confetti(drawing, panel, p, random):
    """Balloons that rise from below, and confetti that falls."""
    ground = drawing.gradient(
        "sky", (0, mix(p.second, p.light, 0.86)), (1, mix(p.accent, p.light, 0.72))
    )
    drawing.add(rect(panel.full, ground))
    left, top, right, bottom = panel.full
    u = panel.u
    tones = [
        p.primary,
        p.second,
        p.accent,
        mix(p.primary, p.light, 0.45),
        mix(p.second, p.deep, 0.15),
    ]
    parts = []
    for _ in range(150):
        x, fall = random.uniform(left, right), random.random() ** 1.7
        y = top + fall * 0.62 * (bottom - top)
        middle = abs(x - panel.cx) < 0.45 * panel.width and y > panel.top + 0.12 * panel.height
        if middle:
            continue
        tone, turn, s = random.choice(tones), random.uniform(0, 180), u * random.uniform(0.8, 1.7)
        form = random.randrange(3)
        shape = (
            f'<circle r="{0.55 * s:.2f}" fill="{tone}"/>',
            f'<rect x="{-s:.2f}" y="{-0.35 * s:.2f}" width="{2 * s:.2f}" height="{0.7 * s:.2f}" rx="{0.1 * s:.2f}" fill="{tone}"/>',
            f'<path d="M{-1.4 * s:.2f} 0q{0.7 * s:.2f} {-1.2 * s:.2f} {1.4 * s:.2f} 0t{1.4 * s:.2f} 0" fill="none" stroke="{tone}" stroke-width="{0.45 * s:.2f}" stroke-linecap="round"/>',
        )[form]
        parts.append(f'<g transform="translate({x:.2f} {y:.2f}) rotate({turn:.0f})">{shape}</g>')
    drawing.add("".join(parts))
    spots = [
        (0.13, 0.8, 10),
        (0.87, 0.78, 10.5),
        (0.3, 0.87, 9),
        (0.7, 0.88, 9.4),
        (0.5, 0.84, 11),
        (0.02, 0.93, 9),
        (0.98, 0.94, 9),
    ]
    for k, (fx, fy, size) in enumerate(spots):
        x = panel.left + (fx + random.uniform(-0.02, 0.02)) * panel.width
        y = panel.top + (fy + random.uniform(-0.015, 0.015)) * panel.height
        drawing.add(_balloon(drawing, k, x, y, size * u, tones[k % 3], p, bottom, random))
    return (
        panel.left + 0.1 * panel.width,
        panel.top + 0.14 * panel.height,
        panel.right - 0.1 * panel.width,
        panel.top + 0.62 * panel.height,
    )


def _balloon(drawing, key, x, y, r, tone, p, bottom, random):
    drawing.define(
        f'<radialGradient id="b{key}" cx=".35" cy=".3" r=".85"><stop stop-color="{mix(tone, "#ffffff", 0.55)}"/>'
        f'<stop offset=".45" stop-color="{tone}"/><stop offset="1" stop-color="{mix(tone, p.deep, 0.35)}"/></radialGradient>'
    )
    sway = random.uniform(-0.5, 0.5) * r
    return (
        f'<path d="M{x:.2f} {y + 1.22 * r:.2f}q{sway:.2f} {0.5 * r:.2f} 0 {r:.2f}t0 {max(r, bottom - y - 2.2 * r):.2f}" fill="none"'
        f' stroke="{mix(tone, p.deep, 0.4)}" stroke-width="{0.03 * r:.2f}"/>'
        f'<path d="M{x - 0.12 * r:.2f} {y + 1.32 * r:.2f}L{x:.2f} {y + 1.14 * r:.2f}L{x + 0.12 * r:.2f} {y + 1.32 * r:.2f}Z" fill="{mix(tone, p.deep, 0.25)}"/>'
        f'<path d="M{x:.2f} {y - r:.2f}C{x + 1.15 * r:.2f} {y - r:.2f} {x + 1.05 * r:.2f} {y + 0.5 * r:.2f} {x:.2f} {y + 1.2 * r:.2f}'
        f'C{x - 1.05 * r:.2f} {y + 0.5 * r:.2f} {x - 1.15 * r:.2f} {y - r:.2f} {x:.2f} {y - r:.2f}Z" fill="url(#b{key})"/>'
    )


def stars(drawing, panel, p, random):
    """A night of golden stars that hang on threads, and small ones behind."""
    drawing.add(
        rect(
            panel.full,
            drawing.gradient("night", (0, shade(p.deep, 0.17)), (1, mix(p.deep, p.primary, 0.7))),
        )
    )
    left, top, right, bottom = panel.full
    u, gold = panel.u, p.accent
    dots = "".join(
        f'<circle cx="{random.uniform(left, right):.2f}" cy="{random.uniform(top, bottom):.2f}" r="{u * random.uniform(0.1, 0.36):.2f}" opacity="{random.uniform(0.2, 0.8):.2f}"/>'
        for _ in range(130)
    )
    drawing.add(f'<g fill="{p.light}">{dots}</g>')
    for k in range(9):
        x = left + (right - left) * (k + 0.5) / 9 + random.uniform(-1.5, 1.5) * u
        edge = abs(k - 4) / 4
        y = top + panel.height * (0.1 + 0.2 * edge**1.6 + random.uniform(0, 0.05))
        size = u * random.uniform(2.6, 4.4)
        tone = mix(gold, p.light, random.uniform(0, 0.5))
        drawing.add(
            f'<path d="M{x:.2f} {top:.2f}V{y - size:.2f}" stroke="{gold}" stroke-width="{0.14 * u:.2f}" opacity=".7"/>'
            f'<path d="{star(x, y, size)}" fill="{tone}"/>'
        )
    for k in range(26):
        x = random.uniform(left, right)
        y = bottom - abs(random.gauss(0, 0.1)) * panel.height
        drawing.add(
            f'<path d="{star(x, y, u * random.uniform(0.7, 2), random.uniform(0, 70))}" fill="{gold}" opacity="{random.uniform(0.35, 0.95):.2f}"/>'
        )
    return (
        panel.left + 0.11 * panel.width,
        panel.top + 0.3 * panel.height,
        panel.right - 0.11 * panel.width,
        panel.bottom - 0.2 * panel.height,
    )


def star(x, y, size, turn=0.0):
    """Path data of a five-pointed star."""
    points = []
    for k in range(10):
        r = size if k % 2 == 0 else 0.44 * size
        angle = math.radians(turn - 90 + 36 * k)
        points.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    return path(points, "Z")


def minimal(drawing, panel, p, random):
    """Paper, a fine double frame, and a sprig at its head and foot."""
    drawing.add(rect(panel.full, p.light))
    box, p = inset(panel.trim, 6 * panel.u), in_bloom(p)
    line = f' fill="none" stroke="{p.accent}"'
    for by, thick in ((0, 0.32), (1.3 * panel.u, 0.12)):
        l, t, r, b = inset(box, by)
        drawing.add(
            f'<rect x="{l:.2f}" y="{t:.2f}" width="{r - l:.2f}" height="{b - t:.2f}"{line} stroke-width="{thick * panel.u:.2f}"/>'
        )
    for y in (box[1] + 0.6 * panel.u, box[3] - 0.6 * panel.u):
        width = 15 * panel.u
        drawing.add(
            rect((panel.cx - width, y - 3 * panel.u, panel.cx + width, y + 3 * panel.u), p.light)
        )
        for side in (-1, 1):
            for k in range(6):
                x = panel.cx + side * (2.2 + 1.9 * k) * panel.u
                for lift in (-1, 1):
                    tone = mix(p.primary, p.light, random.uniform(0, 0.45))
                    turn = (0 if side > 0 else 180) + lift * 38
                    drawing.add(
                        leaf(x, y, turn, (4 - 0.35 * k) * panel.u, tone, mix(tone, p.light, 0.4))
                    )
        drawing.add(blossom(panel.cx, y, 2.5 * panel.u, p.accent, p.deep, random.uniform(0, 72)))
    return panel.middle(0.14, 0.16)


def ink(drawing, panel, p, random):
    """Mountains in ink wash, a red sun, a branch of bamboo."""
    drawing.add(rect(panel.full, p.light))
    left, top, right, bottom = panel.full
    u, width = panel.u, right - left
    sun = (panel.left + random.choice([0.26, 0.74]) * panel.width, panel.top + 0.6 * panel.height)
    drawing.add(
        f'<circle cx="{sun[0]:.2f}" cy="{sun[1]:.2f}" r="{8 * u:.2f}" fill="{p.accent}" opacity=".88"/>'
    )
    for layer in range(4):
        base = panel.top + panel.height * (0.7 + 0.085 * layer)
        line = _ridge(random, left, right, base, panel.height * (0.1 - 0.012 * layer))
        tone = mix(p.second, p.deep, 0.12 + 0.26 * layer)
        paint = drawing.gradient(
            f"wash{layer}", (0, tone, 0.85), (0.55, tone, 0.28), (1, tone, 0.02)
        )
        drawing.add(
            f'<path d="{path([*line, (right, bottom), (left, bottom)], "Z")}" fill="{paint}"/>'
        )
    side = 1 if sun[0] < panel.cx else -1
    edge = panel.right if side > 0 else panel.left
    for stem in range(2):
        x = edge - side * (3.5 + 5.5 * stem) * u
        tone = mix(p.second, p.deep, 0.75 - 0.3 * stem)
        y, lean = bottom, random.uniform(-0.03, 0.03)
        while y > top:
            step = random.uniform(15, 19) * u
            drawing.add(
                f'<path d="M{x:.2f} {y - 0.5 * u:.2f}L{x + lean * step:.2f} {y - step + 0.5 * u:.2f}" stroke="{tone}" stroke-width="{(1.5 - 0.5 * stem) * u:.2f}" stroke-linecap="round" opacity=".8"/>'
            )
            if y < panel.top + 0.5 * panel.height:
                for _ in range(5):
                    turn = 90 + side * random.uniform(8, 70)
                    long = random.uniform(10, 16) * u
                    bend = random.uniform(-0.08, 0.08)
                    drawing.add(leaf(x, y - step, turn, long, tone, tone, bend, slim=0.09))
            x, y = x + lean * step, y - step
    return (
        panel.left + 0.14 * panel.width,
        panel.top + 0.09 * panel.height,
        panel.right - 0.14 * panel.width,
        panel.top + 0.6 * panel.height,
    )


def _ridge(random, left, right, base, high):
    """Midpoint displacement: the outline of a mountain range."""
    heights = [random.uniform(0.1, 0.6), random.uniform(0.7, 1.2), random.uniform(0.1, 0.7)]
    rough = 0.42
    for _ in range(6):
        finer = []
        for a, b in zip(heights, heights[1:], strict=False):
            finer += [a, (a + b) / 2 + random.uniform(-rough, rough) * 0.8]
        heights = [*finer, heights[-1]]
        rough *= 0.52
    count = len(heights) - 1
    return [(left + (right - left) * k / count, base - high * h) for k, h in enumerate(heights)]


def medallion(drawing, panel, p, random):
    """Red and gold: a round sign in a ring of petals, clouds of circles in the corners."""
    red = p.primary
    drawing.add(rect(panel.full, drawing.gradient("red", (0, red), (1, mix(red, p.deep, 0.45)))))
    u, gold = panel.u, p.accent
    box = inset(panel.trim, 5 * u)
    for by, thick in ((0, 0.36), (1.4 * u, 0.12)):
        l, t, r, b = inset(box, by)
        drawing.add(
            f'<rect x="{l:.2f}" y="{t:.2f}" width="{r - l:.2f}" height="{b - t:.2f}" fill="none" stroke="{gold}" stroke-width="{thick * u:.2f}"/>'
        )
    for x in (box[0], box[2]):
        for y in (box[1], box[3]):
            for r in (9, 7, 5, 3, 1):
                drawing.add(
                    f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r * u:.2f}" fill="{mix(red, p.deep, 0.2)}" stroke="{gold}" stroke-width="{0.2 * u:.2f}"/>'
                )
    cy, r = panel.top + 0.36 * panel.height, 0.25 * panel.width
    for k in range(16):
        angle = math.tau * k / 16
        x, y = panel.cx + r * math.cos(angle), cy + r * math.sin(angle)
        drawing.add(
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{0.24 * r:.2f}" fill="{mix(red, p.deep, 0.2)}" stroke="{gold}" stroke-width="{0.2 * u:.2f}"/>'
        )
    drawing.add(f'<circle cx="{panel.cx:.2f}" cy="{cy:.2f}" r="{r:.2f}" fill="{gold}"/>')
    drawing.add(
        f'<circle cx="{panel.cx:.2f}" cy="{cy:.2f}" r="{0.94 * r:.2f}" fill="none" stroke="{red}" stroke-width="{0.25 * u:.2f}"/>'
    )
    panel.seal = (panel.cx, cy, 1.16 * r, mix(red, p.deep, 0.15))
    return (
        panel.left + 0.14 * panel.width,
        panel.top + 0.6 * panel.height,
        panel.right - 0.14 * panel.width,
        panel.bottom - 0.12 * panel.height,
    )
