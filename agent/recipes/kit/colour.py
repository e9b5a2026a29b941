"""Colours: mixing as the eye sees it, contrast, and palettes that hold together.

A colour is a `#rrggbb` string everywhere. Mixing and shading happen in OKLab (Björn Ottosson),
where equal steps look equal and a blend of two colours does not turn grey or muddy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def rgb(colour: str) -> tuple[float, float, float]:
    """`#0b3c5d` or `#fff` → three numbers 0–1. Raises ValueError for anything else."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) != 6:
        raise ValueError(f"not a colour: {colour}")
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def hexadecimal(channels: Sequence[float]) -> str:
    """Three numbers 0–1 (clipped) → `#rrggbb`."""
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, c))):02x}" for c in channels)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _gamma(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055


def oklab(colour: str) -> tuple[float, float, float]:
    """Lightness 0–1, and the green–red and blue–yellow axes (about ±0.3)."""
    r, g, b = (_linear(c) for c in rgb(colour))
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def from_oklab(lightness: float, a: float, b: float) -> str:
    """The sRGB colour of these coordinates; out-of-gamut chroma is reduced, the hue kept."""
    for _ in range(24):
        long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
        medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
        linear = (
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        )
        if all(-1e-4 <= c <= 1.0001 for c in linear):
            break
        a, b = 0.92 * a, 0.92 * b
    return hexadecimal([_gamma(max(0.0, c)) for c in linear])


def mix(first: str, second: str, share: float) -> str:
    """`share` 0 is the first colour, 1 the second."""
    pairs = zip(oklab(first), oklab(second), strict=True)
    lightness, a, b = (p + (q - p) * share for p, q in pairs)
    return from_oklab(lightness, a, b)


def shade(colour: str, lightness: float, chroma: float = 1.0) -> str:
    """The same hue at OKLab `lightness` (0 black – 1 white), its chroma times `chroma`."""
    _, a, b = oklab(colour)
    return from_oklab(lightness, a * chroma, b * chroma)


def lightness(colour: str) -> float:
    """OKLab lightness: 0 black, 1 white; about 0.6 is where text turns from white to black."""
    return oklab(colour)[0]


def turn(colour: str, degrees: float) -> str:
    """The colour with its hue turned, lightness and chroma kept."""
    light, a, b = oklab(colour)
    angle, chroma = math.atan2(b, a) + math.radians(degrees), math.hypot(a, b)
    return from_oklab(light, chroma * math.cos(angle), chroma * math.sin(angle))


def luminance(colour: str) -> float:
    """WCAG relative luminance, 0–1."""
    r, g, b = (_linear(c) for c in rgb(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(first: str, second: str) -> float:
    """WCAG contrast, 1–21: 4.5 is the least for text, 3 for large text."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def readable(wanted: str, background: str, least: float = 4.5) -> str:
    """`wanted`, made lighter or darker only as far as it must be to be read on `background`."""
    if contrast(wanted, background) >= least:
        return wanted
    start = lightness(wanted)
    ends = sorted((0.0, 1.0), key=lambda end: abs(end - start))
    best = wanted
    for end in ends:
        for step in range(1, 21):
            candidate = shade(wanted, start + (end - start) * step / 20)
            if contrast(candidate, background) >= least:
                return candidate
            if contrast(candidate, background) > contrast(best, background):
                best = candidate
    return best


@dataclass(frozen=True)
class Palette:
    """Five colours with parts to play: `deep` and `light` carry text upon each other."""

    deep: str
    """Nearly black, tinted: dark grounds, and text on light ones."""
    primary: str
    second: str
    accent: str
    """Used least and seen first."""
    light: str
    """Nearly white, tinted: paper, and text on dark grounds."""


PALETTES: dict[str, tuple[Palette, ...]] = {
    "ocean": (
        Palette("#04202f", "#0b4f6c", "#3d9db3", "#f2b84b", "#eef6f7"),
        Palette("#071b33", "#14507f", "#6cb4c9", "#ff8a5b", "#f2f6fa"),
    ),
    "earth": (
        Palette("#1f2a23", "#3f6b4f", "#9fb98a", "#e0a03c", "#f7f3e8"),
        Palette("#2a2118", "#8a4f2a", "#c99a5b", "#2f6f62", "#faf4e8"),
    ),
    "dusk": (
        Palette("#1b1434", "#5b3a7d", "#e8758a", "#ffc15e", "#fdf1e7"),
        Palette("#141a3a", "#34508c", "#e58a6f", "#ffd27a", "#f8f0ea"),
    ),
    "night": (
        Palette("#0a1028", "#1f2f66", "#5d76c9", "#ffd479", "#f0f2fb"),
        Palette("#0b0f1e", "#2b2f58", "#7f6fc4", "#7fe0d0", "#f1eff9"),
    ),
    "festive": (
        Palette("#3d0610", "#b3141f", "#d8453a", "#f3c35b", "#fdf3df"),
        Palette("#2f0509", "#9e0f1b", "#e0582f", "#efb94f", "#fff4e0"),
    ),
    "warm": (
        Palette("#2b1a17", "#c8442b", "#f0913a", "#1f7a74", "#fdf4e6"),
        Palette("#2d1b2e", "#b83b5e", "#f08a5d", "#f9d56e", "#fff5ea"),
    ),
    "fresh": (
        Palette("#10302c", "#14746f", "#7cc6a4", "#ff6f59", "#f3faf4"),
        Palette("#123524", "#2d7d46", "#a9d18e", "#f2a541", "#f6faef"),
    ),
    "blossom": (
        Palette("#3b1f2e", "#b5486c", "#eaa4b4", "#5d8a6a", "#fdf3f2"),
        Palette("#33243f", "#7d5a94", "#d9a7c0", "#d9853b", "#faf3f7"),
    ),
    "play": (
        Palette("#1d2550", "#3457d5", "#ff6b6b", "#ffc93c", "#fff8ea"),
        Palette("#21304a", "#00897b", "#ff7043", "#ffca28", "#fff9ec"),
    ),
    "tech": (
        Palette("#0b1220", "#2446c8", "#12b5cb", "#ff5c7a", "#f2f5fb"),
        Palette("#101018", "#4a3fd6", "#27c2a0", "#ffb224", "#f4f3fb"),
    ),
    "bold": (
        Palette("#141414", "#e03616", "#f2a900", "#1c5d99", "#f7f2e7"),
        Palette("#191919", "#0f4c81", "#f05a28", "#ffc20e", "#f5f1e6"),
    ),
    "calm": (
        Palette("#22303a", "#55788a", "#a9c0c4", "#c98b5e", "#f5f3ee"),
        Palette("#2a2f2b", "#6b8273", "#b9c4ae", "#c4785a", "#f6f4ec"),
    ),
    "ink": (Palette("#1d1d1f", "#4b4f54", "#9aa0a3", "#a92b20", "#f6f1e6"),),
    "noble": (
        Palette("#1a1c24", "#2f3a56", "#8c7a5b", "#c8a45c", "#f8f5ee"),
        Palette("#1c2521", "#2f5346", "#8aa293", "#c9a35d", "#f8f5ec"),
    ),
}
"""Designed palettes by mood; a seed picks one of a mood's."""


def from_colours(given: Sequence[str], base: Palette) -> Palette:
    """`base` with the colours that a person asked for in the parts that suit them.

    One colour becomes the primary; of several the most vivid after it is the accent. Very light
    ones become the paper, very dark ones the deep ground; what was not given is derived from the
    primary's hue, so that everything stays one family.
    """
    papers = [c for c in given if lightness(c) > 0.9]
    inks = [c for c in given if lightness(c) < 0.22]
    vivid = [c for c in given if c not in papers and c not in inks]
    if not vivid and not inks:
        return Palette(
            base.deep, base.primary, base.second, base.accent, (papers or [base.light])[0]
        )
    primary = vivid[0] if vivid else shade(inks[0], 0.45, 1.6)
    light = papers[0] if papers else shade(primary, 0.967, 0.12)
    deep = inks[0] if inks else shade(primary, min(0.24, lightness(primary) * 0.62), 0.75)
    others = sorted(vivid[1:], key=lambda c: -math.hypot(*oklab(c)[1:]))
    accent = others[0] if others else _accent(primary, base)
    rest = others[1] if len(others) > 1 else mix(primary, light, 0.45)
    return Palette(deep, primary, rest, accent, light)


def _accent(primary: str, base: Palette) -> str:
    """A colour of the base that stands apart from the primary, or its complement."""
    _, a, b = oklab(primary)
    far = max(
        (base.accent, base.second, base.primary),
        key=lambda c: math.hypot(oklab(c)[1] - a, oklab(c)[2] - b),
    )
    apart = math.hypot(oklab(far)[1] - a, oklab(far)[2] - b)
    return far if apart > 0.12 else shade(turn(primary, 165), 0.75, 1.1)
