"""The beats of a film's music, fitted to its length and to the moment of the reveal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Metre:
    """Beats fitted to the film: `beat` in seconds; `reveal` and `last` when its chords fall."""

    beat: float
    beats: int
    reveal: float
    last: float

    @property
    def bar(self):
        return self.beat * self.beats


def metre(style, duration, count, reveal):
    """Fits beats to the counts; without counts (`count` 0) the music sets the reveal."""
    ideal = 60 / style.tempo
    if count:
        parts = min((1, 2, 3, 4, 6), key=lambda k: abs(np.log(count / k / ideal)))
        beat = count / parts
        bars = int(max(0.0, duration - reveal - 1.2) / (beat * style.metre))
        return Metre(beat, style.metre, reveal, reveal + bars * beat * style.metre)
    ring = min(2.6, 0.36 * duration)
    lead = 2 if duration > 9 else 1
    bars = max(0, round(((duration - ring) / ideal - lead) / style.metre))
    beat = (duration - ring) / (lead + bars * style.metre)
    beat = min(beat, ideal * 1.5)
    return Metre(beat, style.metre, lead * beat, lead * beat + bars * style.metre * beat)
