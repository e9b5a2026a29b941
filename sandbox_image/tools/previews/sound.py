"""Sound: its waveform, from the left edge to the right, and its peaks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
from PIL import Image, ImageDraw

from previews import Subject, Unreadable
from previews.ground import SIZE, board
from previews.poster import poster
from previews.streams import LEVELS, envelope, fewer, peaks, probe, source

BARS = 80
# Drawn larger, so that its edges are smooth.
FINE = 3
LOUD, SOFT = (142, 178, 255), (78, 116, 226)


def show(subject: Subject) -> Iterator[dict]:
    seconds, _, sounds = probe(subject)
    if sounds is None:
        raise Unreadable("no sound in it")
    if seconds:
        yield {"seconds": seconds}
    decoded = ("ffmpeg", "-v", "error", *source(subject), "-map", f"0:{sounds['index']}")
    levels = envelope([*decoded, *LEVELS])
    if not len(levels):
        raise Unreadable("it does not decode")
    yield poster(waveform(levels), subject.into)
    yield peaks(levels, subject.into)


def waveform(levels: numpy.ndarray) -> Image.Image:
    """Bars as high as the sound is loud; the loudest nearly reach the edges."""
    pairs = fewer(levels, BARS)
    loud = numpy.abs(pairs).max(axis=1)
    loud = loud / max(0.05, float(loud.max()))
    width, height = (side * FINE for side in SIZE)
    image = board(FINE)
    shape = Image.new("L", image.size)
    pen, step = ImageDraw.Draw(shape), width / len(loud)
    bar = min(step * 0.62, 14 * FINE)
    for number, level in enumerate(loud):
        middle, half = (number + 0.5) * step, max(bar / 2, level * height * 0.4)
        edges = (middle - bar / 2, height / 2 - half, middle + bar / 2, height / 2 + half)
        pen.rounded_rectangle(edges, bar / 2, 255)
    # Lighter the further from the middle.
    away = numpy.abs(numpy.linspace(-1, 1, height))[:, None, None]
    tint = numpy.array(SOFT) * (1 - away) + numpy.array(LOUD) * away
    colours = Image.fromarray(tint.round().astype("u1")).resize(image.size)
    image.paste(colours, mask=shape)
    return image.resize(SIZE, Image.Resampling.LANCZOS, reducing_gap=3)
