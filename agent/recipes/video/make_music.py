"""The film's music, composed to its moments.

Everything is counted from the reveal: the bar before it is a dominant that leads there, the
tonic falls exactly on it, and the last chord falls on a bar line and rings out.
"""

from __future__ import annotations

import math
import random

from make_score import Score
from make_styles import MAJOR, MINOR

# Percussion keys of General MIDI.
KICK, SNARE, CLAP, HAT, OPEN_HAT, CRASH, TAMBOURINE = 36, 38, 39, 42, 46, 49, 54

HAPPY_BIRTHDAY = (
    # (bar, beat, MIDI note, beats): the tune in C; its last note falls on the downbeat of bar 8.
    (0, 2, 67, 2 / 3),
    (0, 2 + 2 / 3, 67, 1 / 3),
    (1, 0, 69, 1),
    (1, 1, 67, 1),
    (1, 2, 72, 1),
    (2, 0, 71, 2),
    (2, 2, 67, 2 / 3),
    (2, 2 + 2 / 3, 67, 1 / 3),
    (3, 0, 69, 1),
    (3, 1, 67, 1),
    (3, 2, 74, 1),
    (4, 0, 72, 2),
    (4, 2, 67, 2 / 3),
    (4, 2 + 2 / 3, 67, 1 / 3),
    (5, 0, 79, 1),
    (5, 1, 76, 1),
    (5, 2, 72, 1),
    (6, 0, 71, 1),
    (6, 1, 69, 1),
    (6, 2, 77, 2 / 3),
    (6, 2 + 2 / 3, 77, 1 / 3),
    (7, 0, 76, 1),
    (7, 1, 72, 1),
    (7, 2, 74, 1),
)
BIRTHDAY_CHORDS = (0, 0, 4, 4, 0, 0, 3, 4)


class Composer:
    """Writes the piece for one story."""

    def __init__(self, style, story, seed):
        self.style, self.fitted, self.duration = style, story.metre, story.duration
        self.birthday = story.candles > 0
        self.score = Score(seed)
        self.dice = random.Random(seed + 1)
        self.voicing = None
        self.motif = self._motif()

    # -------------------------------------------------------------- harmony

    def _pitch(self, degree, octave=0):
        """The note of a degree of the seven-note scale."""
        scale = MINOR if self.style.scale is MINOR else MAJOR
        return self.style.root + scale[degree % 7] + 12 * (degree // 7 + octave)

    def _triad(self, degree):
        """The chord on a degree, in the inversion nearest to the chord before it."""
        tones = [self._pitch(degree + step) % 12 for step in (0, 2, 4)]
        if self.style.scale is MINOR and degree == 4:
            tones[1] = (tones[1] + 1) % 12  # the leading note makes it a real dominant
        centre = self.voicing or (60, 64, 67)
        choices = []
        for turn in range(3):
            notes, low = [], 48
            for tone in tones[turn:] + tones[:turn]:
                low = low + (tone - low) % 12
                notes.append(low)
                low += 1
            for shift in (0, 12, 24):
                shifted = tuple(n + shift for n in notes)
                moved = sum(abs(a - b) for a, b in zip(shifted, centre, strict=True))
                choices.append((moved + abs(sum(shifted) / 3 - 64) * 0.6, shifted))
        self.voicing = min(choices)[1]
        return self.voicing

    # -------------------------------------------------------------- melody

    def _motif(self):
        """A rhythm and a contour, the seed of the whole tune."""
        rhythms = {
            4: [
                (1, 0.5, 0.5, 2),
                (1.5, 0.5, 1, 1),
                (1, 1, 0.5, 0.5, 1),
                (0.5, 0.5, 1, 1, 1),
                (2, 1, 0.5, 0.5),
            ],
            3: [(1, 1, 1), (2, 1), (1.5, 0.5, 1), (1, 0.5, 0.5, 1)],
        }[self.style.metre]
        rhythm = self.dice.choice(rhythms)
        return rhythm, [self.dice.choice((-2, -1, -1, 1, 1, 2)) for _ in rhythm]

    def _near(self, wanted, tones):
        """The pitch nearest to `wanted` whose class is among `tones`."""
        return min(
            (p for p in range(round(wanted) - 7, round(wanted) + 8) if p % 12 in tones),
            key=lambda p: (abs(p - wanted), p),
        )

    def _phrase(self, bar, start, degree, line, velocity, octave):
        """One bar of melody from pitch `line`; returns where it ended."""
        rhythm, contour = self.motif
        if bar % 4 == 3:  # phrases breathe at their end
            rhythm, contour = (self.style.metre - 1, 1), (1, -1)
        elif bar % 4 == 2:
            contour = [-step for step in contour]
        scale = self.style.scale
        steps = {(self.style.root + s) % 12 for s in scale}
        chord = {p % 12 for p in self._triad(degree)}
        at = 0.0
        for k, (length, move) in enumerate(zip(rhythm, contour, strict=True)):
            strong = k == 0 or at == 2
            target = line + move * 2
            if target > self.style.root + 21 or target < self.style.root + 3:
                target = line - move * 2
            line = self._near(target, chord if strong else steps)
            for program, shift in zip(
                self.style.lead, (octave, octave - 12 * (octave > 0)), strict=True
            ):
                lead = program == self.style.lead[0]
                self.score.play(
                    program,
                    start + at * self.fitted.beat,
                    length * self.fitted.beat * 0.94,
                    line + shift,
                    velocity - (0 if lead else 16),
                    104 if lead else 78,
                    58 if lead else 74,
                )
            at += length
        return line

    # -------------------------------------------------------------- accompaniment

    def _accompany(self, start, degree, beats, power):
        """Chords, bass and pad of one chord; `power` 0..1 is how full it sounds."""
        style, beat, play = self.style, self.fitted.beat, self.score.play
        triad = self._triad(degree)
        root = 36 + (self._pitch(degree) - 36) % 12
        soft = 46 + 34 * power
        if style.pattern == "oompah":
            play(style.bass, start, beat * 0.9, root, soft + 26, 100)
            for k in range(1, round(beats)):
                for note in triad:
                    play(style.chords, start + k * beat, beat * 0.45, note, soft + 6, 84, 44)
        else:
            halves = round(beats * 2)
            for k in range(0, halves, 1 if style.pattern in ("arpeggio", "eighths") else 2):
                moment = start + k * beat / 2
                if style.pattern == "arpeggio":
                    shape = (0, 1, 2, 3, 2, 1)
                    voice = shape[k % 6]
                    note = triad[voice] if voice < 3 else triad[0] + 12
                    play(style.chords, moment, beat * 1.4, note, soft + 8 * (k % 2 == 0), 92, 44)
                elif style.pattern == "eighths":
                    for note in triad:
                        play(
                            style.chords,
                            moment,
                            beat * 0.42,
                            note,
                            soft - 8 + 12 * (k % 2 == 0),
                            78,
                            48,
                        )
                else:
                    for note in triad:
                        play(
                            style.chords,
                            moment,
                            beat * 0.7,
                            note,
                            soft - 2 + 10 * (k % 4 == 0),
                            76,
                            48,
                        )
            steps = (0, 1.5, 2, 3.5) if power > 0.5 and style.drums else (0, 2)
            for at in (s for s in steps if s < beats):
                play(
                    style.bass,
                    start + at * beat,
                    beat * (0.9 if style.drums else 1.9),
                    root,
                    soft + 22,
                    98,
                )
        if power > 0.3:
            for note in triad:
                play(style.pad, start, beats * beat * 0.98, note, 34 + 36 * power, 66, 80)

    def _drums(self, start, power, fill=False):
        """One bar of the kit."""
        kind, beat, beats = self.style.drums, self.fitted.beat, self.fitted.beats
        hits = []
        if kind == "party":
            hits = [(0, KICK, 96), *((k, CLAP, 70) for k in range(1, beats))]
            hits += [(k / 2, TAMBOURINE, 62 if k % 2 == 0 else 46) for k in range(2 * beats)]
        elif kind == "dance":
            hits = [(k, KICK, 100) for k in range(beats)] + [(1, CLAP, 84), (3, CLAP, 84)]
            hits += [(k + 0.5, OPEN_HAT, 56) for k in range(beats)]
        elif kind == "rock":
            hits = [
                (0, KICK, 112),
                (1.5, KICK, 90),
                (2, KICK, 104),
                (1, SNARE, 104),
                (3, SNARE, 108),
            ]
            hits += [(k / 2, HAT, 74 if k % 2 == 0 else 56) for k in range(2 * beats)]
        elif kind == "pulse":
            hits = [(0, KICK, 86), (2, KICK, 76)] + [
                (k / 2, HAT, 44 if k % 2 else 30) for k in range(2 * beats)
            ]
            if power > 0.6:
                hits += [(1, CLAP, 56), (3, CLAP, 56)]
        elif kind == "bells":
            hits = [(k / 2, TAMBOURINE, 64 if k % 2 == 0 else 44) for k in range(2 * beats)]
        elif kind == "taiko":
            for at, pitch, loud in (
                (0, 45, 112),
                (1, 52, 76),
                (1.5, 52, 84),
                (2, 45, 100),
                (3, 52, 80),
                (3.5, 52, 90),
            ):
                self.score.play(116, start + at * beat, 0.6, pitch, loud * (0.7 + 0.3 * power), 100)
            hits = [(k, 76, 50) for k in (1, 3)]
        for at, key, loud in hits:
            if at < beats:
                self.score.play(-1, start + at * beat, 0.2, key, loud * (0.62 + 0.38 * power), 100)
        if fill and kind:
            for k in range(beats * 4):
                loud = 34 + 70 * k / (beats * 4)
                if kind == "taiko":
                    self.score.play(116, start + k * beat / 4, 0.4, 47, loud, 100)
                else:
                    self.score.play(-1, start + k * beat / 4, 0.2, SNARE, loud, 100)

    def _final(self, moment, power):
        """The last chord: everything together, and it rings."""
        ring = self.duration - moment + 1
        top = self._near(self.style.root + 14, {self.style.root % 12})
        degree = 2 if self.style.scale is MINOR else 0  # a minor piece ends in its relative major
        root = 36 + (self._pitch(degree) - 36) % 12
        top = self._near(top, {self._pitch(degree) % 12})
        for note in self._triad(degree):
            self.score.play(self.style.pad, moment, ring, note, 66 + 20 * power, 66)
            self.score.play(self.style.chords, moment, ring, note, 76, 84)
        self.score.play(self.style.bass, moment, ring, root, 104, 98)
        for program in self.style.lead:
            self.score.play(program, moment, ring, top, 88, 96)
        for k in range(6):
            step = top + (0, 4, 7, 12, 16, 19)[k]
            self.score.play(self.style.bell, moment + 0.09 * k, 2, step, 82, 86)
        if self.style.drums:
            self.score.play(-1, moment, 2, CRASH, 100, 100)
            self.score.play(-1, moment, 1, KICK, 110, 100)

    # -------------------------------------------------------------- form

    def compose(self):
        fitted, style = self.fitted, self.style
        bars = math.ceil(fitted.reveal / fitted.bar - 0.01)
        tune = self.birthday and fitted.reveal / fitted.bar >= 7.3
        line = style.root + 12
        for k in range(-bars, 0):
            start = fitted.reveal + k * fitted.bar
            power = 1 + k / max(2, bars)
            degree = 4 if k == -1 else style.before[k % len(style.before)]
            if tune and k >= -8:
                degree = BIRTHDAY_CHORDS[k + 8]
            if start < -0.02:  # an upbeat: only what sounds inside the film
                beats = int((start + fitted.bar) / fitted.beat + 0.02)
                if beats:
                    self._accompany(
                        fitted.reveal + (k + 1) * fitted.bar - beats * fitted.beat, 4, beats, 0.2
                    )
                continue
            self._accompany(start, degree, fitted.beats, power)
            if bars > 2 or style.drums in ("party", "rock", "dance"):
                self._drums(start, power, fill=k == -1 and bars > 1)
            if not tune and power > 0.2:
                line = self._phrase(k % 4, start, degree, line, 72 + 16 * power, 0)
        if tune:
            first = fitted.reveal - 8 * fitted.bar
            for bar, at, pitch, length in HAPPY_BIRTHDAY:
                moment = first + bar * fitted.bar + at * fitted.beat
                for program, shift, loud in ((9, 12, 96), (0, 0, 92), (72, 12, 62 + 4 * bar)):
                    self.score.play(
                        program,
                        moment,
                        length * fitted.beat * 0.95,
                        pitch + style.root - 60 + shift,
                        loud,
                        104 if program == 9 else 84,
                    )
        bars = round((fitted.last - fitted.reveal) / fitted.bar)
        line = style.root + 12
        for k in range(bars):
            start = fitted.reveal + k * fitted.bar
            degree = style.after[k % len(style.after)] if k < bars - 1 or bars == 1 else 4
            if bars == 1:  # tonic and dominant share the only bar
                half = fitted.beats // 2 + fitted.beats % 2
                self._accompany(start, style.after[0], half, 1)
                self._accompany(start + half * fitted.beat, 4, fitted.beats - half, 1)
            else:
                self._accompany(start, degree, fitted.beats, 1)
            self._drums(start, 1, fill=k == bars - 1 and bars > 1)
            line = self._phrase(k % 4, start, degree, line, 96, 12 if style.root < 63 else 0)
        if bars and style.drums:
            self.score.play(-1, fitted.reveal, 2, CRASH, 112, 100)
            for k, step in enumerate((0, 4, 7, 12)):
                self.score.play(
                    style.bell, fitted.reveal + 0.08 * k, 1.6, style.root + 12 + step, 80, 86
                )
        self._final(fitted.last, 1)
        return self.score
