"""What the pictures share: random lines, grounds, the band at the foot, lights."""

import numpy as np
from kit.shapes import area, circle, rect, through


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
    height, high = np.zeros_like(x), 1.0
    for octave in range(7):
        height += high * smooth(rng, first * 2**octave, x)
        high *= rough
    return height


def along(x, y):
    """Path data through the points of two arrays."""
    return through(zip(x, y, strict=True))


def below(x, y, bottom, fill):
    """All that lies under a line, down to `bottom`."""
    points = [*zip(x, y, strict=True), (x[-1], bottom), (x[0], bottom)]
    return area(through(points, "Z"), fill)


def whole(plan):
    """The box of the sheet."""
    return (0, 0, plan.width, plan.height)


def ground(drawing, plan, top, low):
    """A ground that goes from one colour to another down the sheet."""
    drawing.layer("Ground")
    drawing.add(rect(whole(plan), drawing.gradient("ground", (0, top), (1, low))))


def paper(drawing, plan):
    """A ground of the palette's light colour."""
    drawing.layer("Paper")
    drawing.add(rect(whole(plan), plan.palette.light))


def strip(drawing, plan):
    """The band at the foot, where the style has one and the plan uses it."""
    if plan.style.strip and plan.foot_rows:
        drawing.layer("Band")
        band = (0, plan.foot_top, plan.width, plan.height)
        drawing.add(rect(band, getattr(plan.palette, plan.style.strip)))


def specks(drawing, plan, rng, count, box, biggest=0.3):
    """Small lights in a box, none where there is type: they would look like dots of the text."""
    left, top, right, bottom = box
    for _ in range(count):
        x, y = rng.uniform(left, right), rng.uniform(top, bottom)
        r, opacity = plan.u * biggest * rng.uniform(0.25, 1) ** 2, rng.uniform(0.15, 0.7)
        if not plan.occupied(x, y):
            drawing.add(circle(x, y, r, plan.palette.light, opacity=opacity))
