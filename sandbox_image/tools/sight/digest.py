"""A picture in words, for those who cannot see it: colours, light, and where something is."""

from __future__ import annotations

import colorsys

import numpy
from checks.blank import nothing_to_see
from PIL import Image

SIZE = 300
COLOURS, LEAST_SHARE = 6, 0.02
NEAR = 40  # colours that differ by less, as the sum over the channels, are told as one
EDGE = 24  # a step in brightness, of 255, that one sees
HUES = (
    (15, "red"), (45, "orange"), (70, "yellow"), (160, "green"), (200, "cyan"), (255, "blue"),
    (290, "violet"), (345, "pink"), (361, "red"),
)  # fmt: skip


def digest(image: Image.Image) -> list[str]:
    """Two or three lines about an RGB picture."""
    if why := nothing_to_see(image):
        return [f"blank: {why}; colour {named(image.resize((1, 1)).getpixel((0, 0)))}"]
    pixels = sampled(image)
    shares = colours(pixels)
    lines = []
    if shares[0][1] > 0.995:
        lines.append(f"nearly blank: {shares[0][1]:.1%} of it is one colour")
    lines.append(f"colours: {listed(shares, COLOURS)}")
    grey = numpy.asarray(image.convert("L").resize((SIZE, SIZE), Image.Resampling.BOX)).astype(int)
    dark, light = numpy.percentile(grey, (1, 99)) / 2.55
    parts = [f"brightness {grey.mean() / 2.55:.0f} % (from {dark:.0f} to {light:.0f})"]
    parts.append(f"detail by ninths {ninths(grey)}")
    if edges := margins(pixels):
        parts.append(edges)
    return [*lines, "; ".join(parts)]


def main_colours(image: Image.Image, most: int) -> str:
    """The colours that take up most of a picture."""
    return listed(colours(sampled(image)), most)


def sampled(image: Image.Image) -> numpy.ndarray:
    small = image.copy()
    # Nearest, because mixed colours at edges are not in the picture.
    small.thumbnail((SIZE, SIZE), Image.Resampling.NEAREST)
    return numpy.asarray(small).astype(int)


def listed(shares: list[tuple[tuple[int, ...], float]], most: int) -> str:
    told = [f"{named(colour)} {share:.0%}" for colour, share in shares if share >= LEAST_SHARE]
    return ", ".join(told[:most])


def colours(pixels: numpy.ndarray) -> list[tuple[tuple[int, ...], float]]:
    """The colours of a picture with their shares, the largest first; near ones count as one."""
    flat = pixels.reshape(-1, 3)
    codes = (flat >> 4) @ numpy.array([256, 16, 1])
    counts = numpy.bincount(codes, minlength=4096)
    sums = [numpy.bincount(codes, weights=flat[:, channel], minlength=4096) for channel in range(3)]
    groups: list[list] = []
    for code in numpy.argsort(counts)[::-1][: numpy.count_nonzero(counts)]:
        mean = numpy.array([total[code] / counts[code] for total in sums])
        for group in groups:
            if numpy.abs(group[0] - mean).sum() < NEAR:
                group[1] += counts[code]
                break
        else:
            groups.append([mean, counts[code]])
    groups.sort(key=lambda group: -group[1])
    return [(tuple(round(value) for value in mean), count / len(flat)) for mean, count in groups]


def named(colour: tuple[int, ...]) -> str:
    """`dark blue #123456`."""
    code = "#{:02x}{:02x}{:02x}".format(*colour)
    hue, light, strength = colorsys.rgb_to_hls(*(value / 255 for value in colour))
    chroma = (max(colour) - min(colour)) / 255
    if light > 0.9 and chroma < 0.08:
        name = "white" if light > 0.98 else "off-white"
    elif light < 0.06:
        name = "black"
    elif chroma < 0.08 or strength < 0.08:
        name = "grey"
    else:
        name = next(name for end, name in HUES if hue * 360 < end)
        if name == "orange" and light < 0.4:
            return f"brown {code}"
    if name not in ("white", "off-white", "black"):
        name = "light " * (light > 0.7) + "dark " * (light < 0.3) + name
    return f"{name} {code}"


def ninths(grey: numpy.ndarray) -> str:
    """For each ninth of the picture, row by row, the percentage of it that edges take up."""
    down = numpy.abs(numpy.diff(grey, axis=0))[:, :-1]
    across = numpy.abs(numpy.diff(grey, axis=1))[:-1]
    edges = numpy.maximum(down, across) > EDGE
    rows = [numpy.array_split(row, 3, axis=1) for row in numpy.array_split(edges, 3)]
    return " | ".join(" ".join(f"{100 * cell.mean():.0f}" for cell in row) for row in rows)


def margins(pixels: numpy.ndarray) -> str:
    """How far what is in the picture keeps from its edges, if there is one background."""
    border = numpy.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    background, share = colours(border[None])[0]
    if share < 0.8:
        return ""
    there = numpy.abs(pixels - numpy.array(background)).sum(axis=2) > NEAR
    rows, columns = numpy.flatnonzero(there.any(axis=1)), numpy.flatnonzero(there.any(axis=0))
    if not len(rows):
        return ""
    height, width = there.shape
    left, right = 100 * columns[0] / width, 100 - 100 * (columns[-1] + 1) / width
    top, bottom = 100 * rows[0] / height, 100 - 100 * (rows[-1] + 1) / height
    return (
        f"margins left {left:.0f} %, right {right:.0f} %, top {top:.0f} %, bottom {bottom:.0f} % "
        f"on {named(background)}"
    )
