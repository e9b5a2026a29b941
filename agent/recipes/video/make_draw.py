"""Drawing tools for film frames: easing, colours, letters with light on them, sprites.

Surfaces are cairo ARGB32; colours are tuples of three floats 0..1; lengths are pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cairo
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

TAU = 2 * math.pi
WHITE = (1.0, 1.0, 1.0)


def rgb(code):
    """The colour of '#rrggbb'."""
    return tuple(int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))


def mix(a, b, share):
    """The colour `share` of the way from a to b."""
    return tuple(x + (y - x) * share for x, y in zip(a, b, strict=True))


def luminance(colour):
    """Relative luminance, 0 black to 1 white (WCAG)."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def clamp(x, low=0.0, high=1.0):
    return max(low, min(high, x))


def smooth(x):
    """0..1 with soft start and stop."""
    x = clamp(x)
    return x * x * (3 - 2 * x)


def settle(x):
    """0..1 that arrives fast and comes to rest gently."""
    return 1 - (1 - clamp(x)) ** 4


def spring(x):
    """0..1 that overshoots a little and swings back."""
    if x <= 0:
        return 0.0
    return 1 - math.exp(-6.5 * x) * math.cos(9 * x) if x < 1.2 else 1.0


# ---------------------------------------------------------------- surfaces and pixels


def canvas(width, height):
    """A transparent surface and its context."""
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, max(1, round(width)), max(1, round(height)))
    return surface, cairo.Context(surface)


def surface_of(colour, alpha):
    """A surface from colour (h, w, 3) and alpha (h, w), both floats 0..1, not premultiplied."""
    height, width = alpha.shape
    pixels = np.empty((height, width, 4), np.uint8)
    for channel, source in ((0, 2), (1, 1), (2, 0)):
        pixels[..., channel] = np.clip(colour[..., source] * alpha * 255 + 0.5, 0, 255)
    pixels[..., 3] = np.clip(alpha * 255 + 0.5, 0, 255)
    return cairo.ImageSurface.create_for_data(
        bytearray(pixels.tobytes()), cairo.FORMAT_ARGB32, width, height, width * 4
    )


def backdrop(width, height, stops, shade=None, seed=1):
    """An opaque picture of vertical colour stops [(place, colour)], dithered against banding.

    `shade(x, y)` gets coordinate grids 0..1 and returns (h, w, 3) to add.
    """
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x /= width
    y /= height
    places = [place for place, _ in stops]
    picture = np.stack(
        [np.interp(y[:, 0], places, [c[k] for _, c in stops]) for k in range(3)], axis=-1
    )[:, None, :].repeat(width, axis=1)
    if shade is not None:
        picture = picture + shade(x, y)
    noise = np.random.default_rng(seed).random((height, width, 1)) - 0.5
    return surface_of(np.clip(picture + noise * 2.2 / 255, 0, 1), np.ones((height, width)))


def blurred(surface, radius, colour, strength):
    """The surface's silhouette, blurred: a shadow, or a glow when the colour is light."""
    width, height = surface.get_width(), surface.get_height()
    pixels = np.ndarray((height, surface.get_stride() // 4, 4), np.uint8, surface.get_data())
    alpha = ndimage.gaussian_filter(pixels[:, :width, 3] / 255, radius) * strength
    return surface_of(np.broadcast_to(np.array(colour), (height, width, 3)), np.clip(alpha, 0, 1))


def shadowed(surface, drop, radius, colour=(0.2, 0.05, 0.15), strength=0.4):
    """The surface with a soft shadow `drop` pixels below it."""
    out, c = canvas(surface.get_width(), surface.get_height())
    c.set_source_surface(blurred(surface, radius, colour, strength), 0, drop)
    c.paint()
    c.set_source_surface(surface)
    c.paint()
    return out


@lru_cache(maxsize=64)
def glow(radius, colour, power=2.0):
    """A round light that fades out; to be painted with `add=True`."""
    size = max(2, round(radius * 2))
    y, x = np.mgrid[0:size, 0:size]
    distance = np.hypot(x - (size - 1) / 2, y - (size - 1) / 2) / (size / 2)
    alpha = np.clip(1 - distance, 0, 1) ** power
    return surface_of(np.broadcast_to(np.array(colour), (size, size, 3)), alpha)


def paint(c, sprite, x, y, scale=1.0, turn=0.0, alpha=1.0, stretch=1.0, add=False):
    """Paints a sprite centred at x, y; `stretch` makes it wider and as much lower."""
    if alpha <= 0.004 or abs(scale) < 0.004:
        return
    c.save()
    c.translate(x, y)
    if turn:
        c.rotate(turn)
    c.scale(scale * stretch, scale / stretch)
    c.set_source_surface(sprite, -sprite.get_width() / 2, -sprite.get_height() / 2)
    c.get_source().set_filter(cairo.FILTER_BILINEAR)
    if add:
        c.set_operator(cairo.OPERATOR_ADD)
    if alpha < 1:
        c.paint_with_alpha(alpha)
    else:
        c.paint()
    c.restore()


def linear(x0, y0, x1, y1, *stops):
    """A linear gradient of (place, colour) or (place, colour, alpha)."""
    return _stops(cairo.LinearGradient(x0, y0, x1, y1), stops)


def radial(x, y, r0, r1, *stops, focus=None):
    """A radial gradient about x, y, lit from `focus`."""
    fx, fy = focus or (x, y)
    return _stops(cairo.RadialGradient(fx, fy, r0, x, y, r1), stops)


def _stops(gradient, stops):
    for place, colour, *alpha in stops:
        gradient.add_color_stop_rgba(place, *colour, alpha[0] if alpha else 1.0)
    return gradient


def ellipse(c, x, y, rx, ry):
    c.save()
    c.translate(x, y)
    c.scale(rx, ry)
    c.new_sub_path()
    c.arc(0, 0, 1, 0, TAU)
    c.restore()


def star_path(c, x, y, radius, points=5, inner=0.46, turn=-math.pi / 2):
    c.new_sub_path()
    for k in range(2 * points):
        r = radius if k % 2 == 0 else radius * inner
        c.line_to(
            x + r * math.cos(turn + k * math.pi / points),
            y + r * math.sin(turn + k * math.pi / points),
        )
    c.close_path()


def rounded(c, x, y, width, height, radius):
    c.new_sub_path()
    c.arc(x + width - radius, y + radius, radius, -math.pi / 2, 0)
    c.arc(x + width - radius, y + height - radius, radius, 0, math.pi / 2)
    c.arc(x + radius, y + height - radius, radius, math.pi / 2, math.pi)
    c.arc(x + radius, y + radius, radius, math.pi, 1.5 * math.pi)
    c.close_path()


# ---------------------------------------------------------------- letters


@lru_cache(maxsize=64)
def font_at(font, size):
    return ImageFont.truetype(font.file, size, index=font.index)


def letter_mask(char, font, size, pad, fatten):
    """Coverage 0..1 of one letter; its origin lies at (pad, pad + 0.9 size), on the baseline."""
    drawn = font_at(font, size)
    picture = Image.new(
        "L", (math.ceil(drawn.getlength(char)) + 2 * pad, round(size * 1.25) + 2 * pad)
    )
    ImageDraw.Draw(picture).text(
        (pad, pad + 0.9 * size), char, 255, drawn, anchor="ls", stroke_width=fatten
    )
    return np.asarray(picture, np.float32) / 255


def _light(mask, roundness):
    """(diffuse, gloss) 0..1 of the mask inflated like a balloon and lit from the upper left."""
    inside = ndimage.distance_transform_edt(mask > 0.5)
    radius = max(2.0, min(float(inside.max()), roundness))
    x = np.clip(inside / radius, 0, 1)
    height = radius * np.sqrt(1 - (1 - x) ** 2)
    height = ndimage.gaussian_filter(height, radius * 0.16)
    dy, dx = np.gradient(height)
    normal = np.stack([-dx, -dy, np.ones_like(dx)]) / np.sqrt(dx**2 + dy**2 + 1)
    light = np.array([-0.46, -0.66, 0.59])
    half = light + np.array([0, 0, 1])
    half /= np.linalg.norm(half)
    diffuse = np.clip(np.tensordot(light, normal, 1), 0, 1)
    return diffuse, np.clip(np.tensordot(half, normal, 1), 0, 1)


def _ramp(value, stops):
    places = [place for place, _ in stops]
    return np.stack([np.interp(value, places, [c[k] for _, c in stops]) for k in range(3)], -1)


@dataclass(frozen=True)
class Finish:
    """What letters are made of: balloon, gold, neon or paper."""

    material: str
    outline: tuple[float, float, float] | None = None
    shadow: tuple[float, float, float] = (0.2, 0.05, 0.15)
    fatten: float = 0.0
    """How much is added around the letters, per size: makes any face round and chubby."""


def letter(char, font, size, colour, finish):
    """One letter as (sprite, dx, dy): the way from its origin to the sprite's middle."""
    pad = round(size * 0.34)
    mask = letter_mask(char, font, size, pad, round(size * finish.fatten))
    outside = ndimage.distance_transform_edt(mask <= 0.5)
    deep = mix(colour, (0.16, 0.0, 0.2), 0.42)
    if finish.material == "balloon":
        diffuse, gloss = _light(mask, size * 0.105)
        body = _ramp(diffuse, [(0, deep), (0.5, colour), (1, mix(colour, WHITE, 0.42))])
        body += (np.clip((gloss - 0.955) / 0.035, 0, 1) ** 2 * 0.85)[..., None]
        # Light thrown back from below keeps the shaded side from going flat.
        body += (np.clip(0.32 - diffuse, 0, 1) * 0.35)[..., None] * np.array(colour)
    elif finish.material == "gold":
        diffuse, gloss = _light(mask, size * 0.05)
        pale, dark = mix(colour, WHITE, 0.72), mix(colour, (0.28, 0.1, 0.0), 0.66)
        rows = np.linspace(-0.13, 0.13, mask.shape[0])[:, None]
        body = _ramp(
            np.clip(diffuse * 1.08 + rows, 0, 1),
            [(0, dark), (0.38, mix(colour, dark, 0.35)), (0.62, colour), (0.86, pale), (1, WHITE)],
        )
        body += (np.clip((gloss - 0.97) / 0.03, 0, 1) ** 3 * 0.5)[..., None]
    elif finish.material == "neon":
        body = np.broadcast_to(np.array(mix(colour, WHITE, 0.86)), (*mask.shape, 3))
    else:
        rows = np.linspace(0, 1, mask.shape[0])[:, None].repeat(mask.shape[1], 1)
        body = _ramp(rows, [(0, mix(colour, WHITE, 0.14)), (1, mix(colour, deep, 0.08))])
    face = surface_of(np.clip(body, 0, 1), mask)
    sprite, c = canvas(mask.shape[1], mask.shape[0])
    if finish.outline is not None:
        rim = np.clip(size * 0.062 + 0.5 - outside, 0, 1)
        under = surface_of(np.broadcast_to(np.array(finish.outline), (*mask.shape, 3)), rim)
        c.set_source_surface(shadowed(under, size * 0.03, size * 0.03, finish.shadow))
        c.paint()
    elif finish.material == "neon":
        for radius, strength in ((size * 0.1, 0.85), (size * 0.028, 0.9)):
            c.set_source_surface(blurred(face, radius, colour, strength))
            c.paint()
    else:
        for radius, strength in ((size * 0.15, 0.6), (size * 0.04, 0.6)):
            c.set_source_surface(blurred(face, radius, finish.shadow, strength), 0, size * 0.022)
            c.paint()
    c.set_source_surface(face)
    c.paint()
    return sprite, mask.shape[1] / 2 - pad, mask.shape[0] / 2 - pad - 0.9 * size


@dataclass(frozen=True)
class Glyph:
    """A letter on the stage: its sprite and where its centre rests."""

    sprite: cairo.ImageSurface
    x: float
    y: float
    word: int


def set_line(text, face, size, x, baseline, colours, finish, first=0):
    """The letters of one line centred at x, as a list of Glyph; colours change by the letter.

    `first` is the number of the first letter among all that are coloured together.
    """
    size = round(size)
    tracking = size * 2 * finish.fatten
    glyphs, word = [], 0
    left = x - face.width(text, size, tracking) / 2
    for font, run in face.runs(text):
        for k, char in enumerate(run):
            if char.isspace():
                word += 1
            elif font_at(font, size).getmask(char).getbbox():
                colour = colours[(first + len(glyphs)) % len(colours)]
                sprite, dx, dy = letter(char, font, size, colour, finish)
                start = left + font.width(run[: k + 1], size) - font.width(char, size)
                glyphs.append(Glyph(sprite, start + tracking * k + dx, baseline + dy, word))
        left += font.width(run, size) + tracking * len(run)
    return glyphs
