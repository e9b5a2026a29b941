"""The pictures of cards: each paints a panel and returns the box that it leaves for words."""

import math
from itertools import pairwise

from kit.colour import mix, shade
from kit.plants import blossom, branch, in_bloom, leaf
from kit.shapes import area, circle, data, group, line, move, rect, through

BALLOONS = (
    (13, 80, 10), (87, 78, 10.5), (30, 87, 9), (70, 88, 9.4), (50, 84, 11), (2, 93, 9), (98, 94, 9),
)  # fmt: skip
"""Where they hang: right and down in hundredths of the panel, and their size in its `u`."""


def inset(box, by):
    left, top, right, bottom = box
    return (left + by, top + by, right - by, bottom - by)


def frame(drawing, box, colour, u):
    """A double line: a stronger one and a fine one inside it."""
    for by, thick in ((0, 0.34), (1.35 * u, 0.12)):
        drawing.add(rect(inset(box, by), stroke=colour, stroke_width=thick * u))


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
            other = random.choice([p.light, p.deep, p.light])
            tone, size = mix(p.primary, other, random.uniform(0.05, 0.45)), random.uniform(6, 10)
            turn, bend = along + side * random.uniform(25, 65), random.uniform(-0.12, 0.12)
            drawing.add(leaf(x, y, turn, size * u, tone, mix(tone, p.light, 0.4), bend))
    placed = []
    for _ in range(300):
        # Flowers gather at the upper left and lower right of the wreath.
        angle = random.choice([1.25, 0.25]) * math.pi + random.gauss(0, 0.42)
        x = cx + rx * math.cos(angle) * random.uniform(0.97, 1.05)
        y = cy + ry * math.sin(angle) * random.uniform(0.97, 1.05)
        size = u * random.uniform(3, 6.6)
        if all(math.hypot(x - a, y - b) > 0.8 * (size + c) for a, b, c in placed):
            placed.append((x, y, size))
            petal = random.choice([p.accent, p.second, p.accent])
            petal, heart = mix(petal, p.light, random.uniform(0, 0.5)), mix(p.deep, p.accent, 0.3)
            drawing.add(blossom(x, y, size, petal, heart, random.uniform(0, 72)))
        if len(placed) == 17:
            break
    return panel.share(0.27, 0.25, 0.73, 0.74)


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
        tone, x = mix(p.primary, p.deep, random.uniform(0, 0.4)), random.uniform(left, right)
        turn, size = random.uniform(-140, -40), random.uniform(7, 13) * panel.u
        drawing.add(leaf(x, bottom + panel.u, turn, size, tone, mix(tone, p.light, 0.35)))
    return panel.share(0.12, 0.1, 0.88, 0.62)


def confetti(drawing, panel, p, random):
    """Balloons that rise from below, and confetti that falls."""
    high, low = mix(p.second, p.light, 0.86), mix(p.accent, p.light, 0.72)
    drawing.add(rect(panel.full, drawing.gradient("sky", (0, high), (1, low))))
    left, top, right, bottom = panel.full
    u = panel.u
    tones = [p.primary, p.second, p.accent]
    papers = [*tones, mix(p.primary, p.light, 0.45), mix(p.second, p.deep, 0.15)]
    for _ in range(150):
        x = random.uniform(left, right)
        y = top + 0.62 * random.random() ** 1.7 * (bottom - top)
        if abs(x - panel.cx) < 0.45 * panel.width and y > panel.top + 0.12 * panel.height:
            continue
        tone, turn, s = random.choice(papers), random.uniform(0, 180), u * random.uniform(0.8, 1.7)
        curl = data("M", -1.4 * s, 0, "q", 0.7 * s, -1.2 * s, 1.4 * s, 0, "t", 1.4 * s, 0)
        form = random.choice(
            [
                circle(0, 0, 0.55 * s, tone),
                rect((-s, -0.35 * s, s, 0.35 * s), tone, rx=0.1 * s),
                line(curl, tone, 0.45 * s),
            ]
        )
        drawing.add(group([form], transform=move(x, y, turn)))
    for k, (right_by, down_by, size) in enumerate(BALLOONS):
        x = panel.left + (right_by / 100 + random.uniform(-0.02, 0.02)) * panel.width
        y = panel.top + (down_by / 100 + random.uniform(-0.015, 0.015)) * panel.height
        balloon = _balloon(drawing, f"b{k}", x, y, size * u, tones[k % 3], p, bottom, random)
        drawing.add(balloon)
    return panel.share(0.1, 0.14, 0.9, 0.62)


def _balloon(drawing, name, x, y, r, tone, p, bottom, random):
    light, dark = mix(tone, "#ffffff", 0.55), mix(tone, p.deep, 0.35)
    skin = drawing.glow(name, (0, light), (0.45, tone), (1, dark), cx=0.35, cy=0.3, r=0.85)
    sway, long = random.uniform(-0.5, 0.5) * r, max(r, bottom - y - 2.2 * r)
    cord = data("M", x, y + 1.22 * r, "q", sway, 0.5 * r, 0, r, "t", 0, long)
    knot = [(x - 0.12 * r, y + 1.32 * r), (x, y + 1.14 * r), (x + 0.12 * r, y + 1.32 * r)]
    body = data(
        "M", x, y - r, "C", x + 1.15 * r, y - r, x + 1.05 * r, y + 0.5 * r, x, y + 1.2 * r,
        "C", x - 1.05 * r, y + 0.5 * r, x - 1.15 * r, y - r, x, y - r, "Z",
    )  # fmt: skip
    return (
        line(cord, mix(tone, p.deep, 0.4), 0.03 * r)
        + area(through(knot, "Z"), mix(tone, p.deep, 0.25))
        + area(body, skin)
    )


def stars(drawing, panel, p, random):
    """A night of golden stars that hang on threads, and small ones behind."""
    night = drawing.gradient("night", (0, shade(p.deep, 0.17)), (1, mix(p.deep, p.primary, 0.7)))
    drawing.add(rect(panel.full, night))
    left, top, right, bottom = panel.full
    u, gold = panel.u, p.accent
    for _ in range(130):
        x, y = random.uniform(left, right), random.uniform(top, bottom)
        r, opacity = u * random.uniform(0.1, 0.36), random.uniform(0.2, 0.8)
        drawing.add(circle(x, y, r, p.light, opacity=opacity))
    for k in range(9):
        x = left + (right - left) * (k + 0.5) / 9 + random.uniform(-1.5, 1.5) * u
        edge = abs(k - 4) / 4
        y = top + panel.height * (0.1 + 0.2 * edge**1.6 + random.uniform(0, 0.05))
        size = u * random.uniform(2.6, 4.4)
        drawing.add(line(data("M", x, top, "V", y - size), gold, 0.14 * u, opacity=0.7))
        drawing.add(area(star(x, y, size), mix(gold, p.light, random.uniform(0, 0.5))))
    for _ in range(26):
        x, y = random.uniform(left, right), bottom - abs(random.gauss(0, 0.1)) * panel.height
        small = star(x, y, u * random.uniform(0.7, 2), random.uniform(0, 70))
        drawing.add(area(small, gold, opacity=random.uniform(0.35, 0.95)))
    return panel.share(0.11, 0.3, 0.89, 0.8)


def star(x, y, size, turn=0.0):
    """Path data of a five-pointed star."""
    points = []
    for k in range(10):
        r = size if k % 2 == 0 else 0.44 * size
        angle = math.radians(turn - 90 + 36 * k)
        points.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    return through(points, "Z")


def minimal(drawing, panel, p, random):
    """Paper, a fine double frame, and a sprig at its head and foot."""
    drawing.add(rect(panel.full, p.light))
    u, cx = panel.u, panel.cx
    box, p = inset(panel.trim, 6 * u), in_bloom(p)
    frame(drawing, box, p.accent, u)
    for y in (box[1] + 0.6 * u, box[3] - 0.6 * u):
        drawing.add(rect((cx - 15 * u, y - 3 * u, cx + 15 * u, y + 3 * u), p.light))
        for side in (-1, 1):
            for k in range(6):
                x, size = cx + side * (2.2 + 1.9 * k) * u, (4 - 0.35 * k) * u
                for lift in (-1, 1):
                    tone = mix(p.primary, p.light, random.uniform(0, 0.45))
                    turn = (0 if side > 0 else 180) + lift * 38
                    drawing.add(leaf(x, y, turn, size, tone, mix(tone, p.light, 0.4)))
        drawing.add(blossom(cx, y, 2.5 * u, p.accent, p.deep, random.uniform(0, 72)))
    return panel.share(0.14, 0.16, 0.86, 0.84)


def ink(drawing, panel, p, random):
    """Mountains in ink wash, a red sun, stems of bamboo at the other side."""
    drawing.add(rect(panel.full, p.light))
    left, _, right, bottom = panel.full
    u = panel.u
    sun = random.choice([0.26, 0.74])
    x, y = panel.left + sun * panel.width, panel.top + 0.6 * panel.height
    drawing.add(circle(x, y, 8 * u, p.accent, opacity=0.88))
    for layer in range(4):
        base = panel.top + panel.height * (0.7 + 0.085 * layer)
        outline = _ridge(random, left, right, base, panel.height * (0.1 - 0.012 * layer))
        tone = mix(p.second, p.deep, 0.12 + 0.26 * layer)
        wash = ((0, tone, 0.85), (0.55, tone, 0.28), (1, tone, 0.02))
        ground = through([*outline, (right, bottom), (left, bottom)], "Z")
        drawing.add(area(ground, drawing.gradient(f"wash{layer}", *wash)))
    side = 1 if sun < 0.5 else -1
    edge = panel.right if side > 0 else panel.left
    for stem in range(2):
        tone = mix(p.second, p.deep, 0.75 - 0.3 * stem)
        x, thick = edge - side * (3.5 + 5.5 * stem) * u, (1.5 - 0.5 * stem) * u
        _bamboo(drawing, panel, x, thick, side, tone, random)
    return panel.share(0.14, 0.09, 0.86, 0.6)


def _bamboo(drawing, panel, x, thick, side, tone, random):
    """A stem in joints from the foot of the card to its head, with leaves in the upper half."""
    u, y, lean = panel.u, panel.full[3], random.uniform(-0.03, 0.03)
    while y > panel.full[1]:
        step = random.uniform(15, 19) * u
        joint = data("M", x, y - 0.5 * u, "L", x + lean * step, y - step + 0.5 * u)
        drawing.add(line(joint, tone, thick, opacity=0.8))
        x, y = x + lean * step, y - step
        for _ in range(5 if y < panel.top + 0.35 * panel.height else 0):
            turn, long = 90 + side * random.uniform(8, 70), random.uniform(10, 16) * u
            drawing.add(leaf(x, y, turn, long, tone, tone, random.uniform(-0.08, 0.08), slim=0.09))


def _ridge(random, left, right, base, high):
    """Midpoint displacement: the outline of a mountain range."""
    heights = [random.uniform(0.1, 0.6), random.uniform(0.7, 1.2), random.uniform(0.1, 0.7)]
    rough = 0.34
    for _ in range(6):
        finer = []
        for a, b in pairwise(heights):
            finer += [a, (a + b) / 2 + random.uniform(-rough, rough)]
        heights = [*finer, heights[-1]]
        rough *= 0.52
    count = len(heights) - 1
    return [(left + (right - left) * k / count, base - high * h) for k, h in enumerate(heights)]


def medallion(drawing, panel, p, random):
    """Red and gold: a round sign in a ring of petals, ripples in the corners."""
    u, red, gold, dark = panel.u, p.primary, p.accent, mix(p.primary, p.deep, 0.2)
    ground = drawing.gradient("red", (0, red), (1, mix(red, p.deep, 0.45)))
    drawing.add(rect(panel.full, ground))
    box = inset(panel.trim, 5 * u)
    frame(drawing, box, gold, u)
    golden = {"stroke": gold, "stroke_width": 0.2 * u}
    for x in (box[0], box[2]):
        for y in (box[1], box[3]):
            for r in (9, 7, 5, 3, 1):
                drawing.add(circle(x, y, r * u, dark, **golden))
    cx, cy, r = panel.cx, panel.top + 0.36 * panel.height, 0.25 * panel.width
    count = random.choice([12, 16, 20])
    for k in range(count):
        angle = math.tau * k / count
        x, y = cx + r * math.cos(angle), cy + r * math.sin(angle)
        drawing.add(circle(x, y, 3.9 * r / count, dark, **golden))
    drawing.add(circle(cx, cy, r, gold))
    drawing.add(circle(cx, cy, 0.94 * r, stroke=red, stroke_width=0.25 * u))
    panel.seal = (cx, cy, 1.16 * r, mix(red, p.deep, 0.15))
    return panel.share(0.14, 0.6, 0.86, 0.88)
