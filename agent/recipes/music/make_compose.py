"""Composes a piece: its form, then section by section its chords and melody, and last its tempo.

The seed makes each piece its own.
"""

import random
from dataclasses import dataclass, field

from make_form import MEASURES, measure, pace, plan, tail
from make_melody import Composer
from make_theory import BAR, PULSE, Key


@dataclass
class Piece:
    """The whole composition; every file is made from it."""

    title: str
    key: Key
    style: str
    metre: str
    bpm: float
    seconds: float
    sections: list
    chords: list
    notes: list
    bars: int
    pace: list = field(default_factory=list)
    """Relative tempo of each pulse, 1 being `bpm`."""

    @property
    def bar(self):
        return BAR[self.metre]


def compose(parameters):
    """The piece that the parameters ask for."""
    rng = random.Random(parameters["seed"])
    metre, style = parameters["metre"], parameters["style"]
    key = Key(parameters["tonic"], parameters["mode"])
    bars, bpm, seconds = measure(parameters, metre)
    unit = 2 if bars >= 20 and BAR[metre] / PULSE[metre] * 60 / bpm < 1.9 else 1
    sections = plan(bars, unit * MEASURES)
    composer = Composer(key, metre, style, unit, parameters["pentatonic"], rng)
    for section in sections:
        composer.write(section)
    piece = Piece(
        parameters["title"], key, style, metre, bpm, seconds, sections,
        composer.chords, composer.notes, bars, pace(sections, bars, metre, style),
    )  # fmt: skip
    fit_tempo(piece, parameters)
    return piece


def fit_tempo(piece, parameters):
    """Set `bpm` so that the music ends where its last chord begins to ring out."""
    low, high = parameters["tempo"]
    units = sum(1 / speed for speed in piece.pace)
    if parameters["bars"] or low == high:
        if not parameters["bars"]:
            ring = piece.seconds - units * 60 / piece.bpm
            if not 0.8 <= ring <= 6:
                piece.bpm = units * 60 / (piece.seconds - tail(piece.seconds))
        else:
            piece.seconds = units * 60 / piece.bpm + tail(units * 60 / piece.bpm)
        return
    piece.bpm = units * 60 / (piece.seconds - tail(piece.seconds))
