"""Arranges a piece: who plays the melody, and what the others play under it."""

import itertools
from dataclasses import dataclass, field

from make_theory import at

# General MIDI program (from 0), lowest and highest comfortable note, and the gain in dB that makes
# it as loud as the others with the melody, and with an accompaniment that stays below one.
INSTRUMENTS = {
    "guzheng": (107, 43, 88, 0, -2), "dizi": (75, 62, 91, -8, -12),
    "xiao": (77, 60, 86, -8, -11), "erhu": (40, 60, 88, -8, -11), "pipa": (106, 50, 88, 3, 1),
    "suona": (111, 60, 86, -6, -9), "yangqin": (15, 48, 88, 2, 1),
    "music box": (10, 60, 96, -5, -4), "piano": (0, 28, 100, -1, -5),
    "violin": (40, 55, 93, -8, -11), "cello": (42, 36, 74, -6, -12),
    "flute": (73, 60, 93, -8, -11), "clarinet": (71, 52, 86, -12, -14),
    "oboe": (68, 58, 88, -10, -14), "trumpet": (56, 55, 82, -6, -8),
    "horn": (60, 41, 77, -8, -13), "brass": (61, 41, 79, -8, -10),
    "guitar": (24, 40, 83, -1, -8), "harp": (46, 31, 96, -3, -5),
    "strings": (48, 36, 91, -7, -10), "celesta": (8, 60, 100, -5, -6),
    "marimba": (12, 45, 93, -5, -6), "accordion": (21, 53, 88, -3, -8),
    "organ": (19, 36, 93, -8, -13), "saxophone": (65, 56, 84, -8, -10),
    "harmonica": (22, 60, 86, -5, -8),
}  # fmt: skip
SUSTAINED = {"strings", "organ", "accordion", "horn", "brass", "trumpet", "cello", "harmonica"}
PEDALLED = {"piano", "harp", "music box"}
SNARE, KICK = 38, 36


@dataclass
class Part:
    """One player; `notes` are (start, length, pitch, velocity 1–127), in crotchets."""

    name: str
    program: int
    channel: int
    pan: int
    gain: int
    """dB"""
    pedal: bool = False
    notes: list = field(default_factory=list)


def arrange(piece, instruments):
    """The parts of a piece: melody, second voices, accompaniment, and drums for a march."""
    lead = instruments[0]
    under = instruments[-1]
    parts = [Part(lead, INSTRUMENTS[lead][0], 0, 58, INSTRUMENTS[lead][3], lead in PEDALLED)]
    parts[0].notes = melody(piece, lead)
    same = lead == under
    accompaniment = Part(
        f"{under} (accompaniment)" if same else under,
        INSTRUMENTS[under][0], 1, 58 if same else 74, INSTRUMENTS[under][4], under in PEDALLED,
    )  # fmt: skip
    accompaniment.notes = Accompaniment(piece, under).notes()
    parts.append(accompaniment)
    for channel, name in enumerate(instruments[1:-1], 2):
        parts.append(
            Part(
                name,
                INSTRUMENTS[name][0],
                channel,
                46,
                INSTRUMENTS[name][4],
                False,
                second(piece, name),
            )
        )
    if piece.style == "march":
        parts.append(Part("drums", 0, 9, 64, -6, notes=drums(piece)))
    for part in parts:
        part.notes.sort()
        clear_repeats(part.notes)
    return parts


def octave(piece, instrument):
    """By how many octaves the instrument moves the written melody into its range."""
    pitches = [piece.key.pitch(n.degree, n.raised) for n in piece.notes]
    low, high = INSTRUMENTS[instrument][1:3]
    if instrument == "music box":
        return 1
    shifts = (0, 1, -1, -2)
    return next(
        (s for s in shifts if min(pitches) + 12 * s >= low and max(pitches) + 12 * s <= high), 0
    )


def melody(piece, instrument):
    """The tune as played, with the inner line that a pianist adds where it is fullest."""
    shift = 12 * octave(piece, instrument)
    notes = []
    for note, following in itertools.zip_longest(piece.notes, piece.notes[1:]):
        velocity = round(46 + 52 * note.force)
        gap = 0.04 if following and following.degree == note.degree else 0.0
        pitch = piece.key.pitch(note.degree, note.raised) + shift
        notes.append((note.start, note.length - gap, pitch, velocity))
        full = level(piece, note.start) >= 0.7
        if instrument in ("piano", "strings", "accordion") and full and note.length >= 1:
            harmony = at(piece.chords, note.start)
            lower = next((d for d in (note.degree - 2, note.degree - 3, note.degree - 4)
                          if harmony.has(d)), None)  # fmt: skip
            if lower is not None:
                second = piece.key.pitch(lower, lower % 7 in harmony.raised) + shift
                notes.append((note.start, note.length - 0.05, second, velocity - 18))
    return notes


def second(piece, instrument):
    """A voice of long notes below the tune, from the first contrast on: one for every chord."""
    _, low, high, *_ = INSTRUMENTS[instrument]
    first = next((s.bar for s in piece.sections if s.name not in ("Intro", "A")), 0) * piece.bar
    notes, before = [], None
    for chord in piece.chords:
        if chord.start < first:
            continue
        key = piece.key
        tune = [key.pitch(n.degree, n.raised) for n in piece.notes
                if chord.start <= n.start < chord.start + chord.length]  # fmt: skip
        top = min(high, min(tune, default=72) - 3)
        wanted = {key.pitch(step, step in chord.raised) % 12 for step in chord.steps[1:]}
        tones = [p for p in range(min(low, top - 12), top + 1) if p % 12 in wanted and p >= low]
        if not tones:
            continue
        before = min(tones, key=lambda p: abs(p - (before or top - 3)))
        velocity = round(36 + 40 * level(piece, chord.start))
        notes.append((chord.start, chord.length - 0.03, before, velocity))
    return notes


def level(piece, start):
    """The dynamic of the section at a position, 0–1."""
    bar = start / piece.bar
    return next(s.level for s in reversed(piece.sections) if s.bar <= bar + 1e-9)


class Accompaniment:
    """Voices the chords with little movement and sets them in the figure of the style."""

    def __init__(self, piece, instrument):
        self.piece, self.instrument = piece, instrument
        _, low, high, *_ = INSTRUMENTS[instrument]
        self.floor = max(low, {"music box": 60, "celesta": 60, "guzheng": 43}.get(instrument, 36))
        self.low = max(self.floor + 10, 50) if self.floor < 55 else self.floor + 7
        self.high = min(high, self.low + 17)

    def notes(self):
        """Every note of the accompaniment."""
        out, voicing, bass = [], None, None
        piece = self.piece
        end = piece.bars * piece.bar
        for chord in piece.chords:
            voicing = self.voicing(chord, voicing)
            bass = self.bass(chord, bass)
            loud = 38 + 40 * level(piece, chord.start)
            if chord.start + chord.length >= end:
                out += self.final(chord, voicing, bass, loud)
            else:
                out += self.figure(chord, voicing, bass, loud)
        return [(s, n, p, max(14, min(110, round(v)))) for s, n, p, v in out]

    def pitches(self, chord):
        """The pitch classes of a chord."""
        key = self.piece.key
        return [key.pitch(step, step in chord.raised) % 12 for step in chord.steps]

    def voicing(self, chord, before):
        """Three or four notes in the middle, as near as can be to those before."""
        wanted = self.pitches(chord)
        notes = [p for p in range(self.low, self.high + 1) if p % 12 in wanted]
        best, cost = None, 1e9
        size = min(len(set(wanted)), 4)
        for group in itertools.combinations(notes, size):
            if len({p % 12 for p in group}) < size:
                continue
            gaps = [b - a for a, b in itertools.pairwise(group)]
            moved = sum(abs(a - b) for a, b in zip(group, before, strict=False)) if before else 0
            spread = sum(4 for gap in gaps if gap < 3) + max(0, group[-1] - group[0] - 12)
            centre = abs(sum(group) / size - (self.low + self.high) / 2)
            total = moved + spread + 0.8 * centre
            if total < cost:
                best, cost = group, total
        return best

    def bass(self, chord, before):
        """The bass note nearest to the one before, low but not muddy."""
        key = self.piece.key
        step = chord.bass
        pitch = key.pitch(step, step in chord.raised) % 12
        notes = [p for p in range(self.floor, self.floor + 16) if p % 12 == pitch]
        return min(notes, key=lambda p: abs(p - (before or self.floor + 6)))

    def fifth(self, chord, bass):
        """The chord's fifth below or above the bass, for alternating basses."""
        pitch = self.pitches(chord)[2]
        notes = [p for p in range(self.floor, bass + 10) if p % 12 == pitch]
        return min(notes, key=lambda p: abs(p - bass), default=bass)

    def figure(self, chord, voicing, bass, loud):
        """The notes of one chord in the figure of the style."""
        name = self.name()
        out, begin = [], chord.start
        bar = self.piece.bar
        # A chord over several bars is set bar by bar, so that the figure stays on its beats.
        index = 0
        while begin < chord.start + chord.length - 1e-9:
            end = min(chord.start + chord.length, (begin // bar + 1) * bar)
            out += getattr(self, name)(begin, end - begin, voicing, bass, chord, loud, index)
            begin, index = end, index + 1
        return out

    def name(self):
        style, metre = self.piece.style, self.piece.metre
        if self.instrument in SUSTAINED and style not in ("march", "waltz", "lively"):
            return "held"
        if style == "march":
            return "stride"
        if metre == "3/4":
            return "waltz" if style in ("waltz", "birthday", "lively") else "wave"
        if style == "lively":
            return "broken" if metre == "6/8" else "stride"
        return "broken" if metre == "6/8" else "wave"

    def held(self, start, length, voicing, bass, chord, loud, index):
        """Long chords, for instruments that can hold them."""
        notes = [(start, length - 0.03, p, loud - 6) for p in voicing]
        return [*notes, (start, length - 0.03, bass, loud)]

    def wave(self, start, length, voicing, bass, chord, loud, index):
        """Quavers that rise from a held bass through the chord and fall back."""
        tones = [bass, self.fifth_above(chord, bass), *voicing]
        count = round(length / 0.5)
        rise = list(range(len(tones)))
        cycle = rise + rise[-2:1:-1]
        full = level(self.piece, start) >= 0.7
        out = [(start, length - 0.02, bass, loud + 4)]
        if full and bass - 12 >= self.floor - 8 and index == 0:
            out.append((start, length - 0.02, bass - 12, loud - 4))
        for k in range(1, count):
            tone = tones[cycle[k % len(cycle)]]
            shade = 3 if k % 4 == 0 else -2 * (k % 2)
            out.append((start + k * 0.5, min(1.0, length - k * 0.5), tone, loud - 7 + shade))
        return out

    def fifth_above(self, chord, bass):
        pitch = self.pitches(chord)[2]
        return next(p for p in range(bass + 4, bass + 17) if p % 12 == pitch)

    def broken(self, start, length, voicing, bass, chord, loud, index):
        """The rocking of six quavers."""
        order = [bass, voicing[0], voicing[-1], voicing[1], voicing[-1], voicing[0]]
        count = round(length / 0.5)
        out = []
        for k in range(count):
            held = 1.4 if k == 0 else 0.9
            accent = 4 if k == 0 else 0 if k == 3 else -6
            out.append((start + k * 0.5, min(held, length - k * 0.5), order[k % 6], loud + accent))
        return out

    def waltz(self, start, length, voicing, bass, chord, loud, index):
        """Bass on one, chord on two and three; the second bar's bass is the fifth."""
        low = bass if index % 2 == 0 else self.fifth(chord, bass)
        out = [(start, min(length, 0.95), low, loud + 2)]
        for beat in (1.0, 2.0):
            if beat < length:
                out += [(start + beat, 0.6, p, loud - 10 - 2 * (beat == 2)) for p in voicing]
        return out

    def stride(self, start, length, voicing, bass, chord, loud, index):
        """Bass and chord in turn, in crotchets for a march, in quavers where it is lively."""
        step = 1.0 if self.piece.metre == "4/4" else 0.5
        out, time, turn = [], 0.0, 0
        while time < length - 1e-9:
            if turn % 2 == 0:
                low = bass if turn % 4 == 0 and index % 2 == 0 else self.fifth(chord, bass)
                out.append((start + time, step * 0.8, low, loud + 2))
            else:
                out += [(start + time, step * 0.55, p, loud - 8) for p in voicing]
            time, turn = time + step, turn + 1
        return out

    def final(self, chord, voicing, bass, loud):
        """The last chord, rolled upwards and left to ring."""
        low = [bass - 12, bass] if bass - 12 >= INSTRUMENTS[self.instrument][1] else [bass]
        tonic = [p for p in voicing if p % 12 in self.pitches(chord)]
        brisk = self.piece.style in ("march", "lively", "waltz", "birthday")
        delay = 0.0 if brisk or self.instrument in SUSTAINED else 0.2
        return [
            (chord.start + k * delay, chord.length - k * delay, p, loud + 4 - 2 * k)
            for k, p in enumerate([*low, *tonic])
        ]


def drums(piece):
    """Side drum and bass drum of a march: softly from the first bar, rolls into new sections."""
    notes, firsts = [], {s.bar for s in piece.sections}
    for bar in range(piece.bars):
        start, loud = bar * piece.bar, 26 + 30 * level(piece, bar * piece.bar)
        if bar == piece.bars - 1:
            notes += [(start, 0.5, KICK, round(loud + 10)), (start, 0.5, SNARE, round(loud + 6))]
            break
        for beat in range(int(piece.bar)):
            drum, force = (KICK, loud + 4) if beat % 2 == 0 else (SNARE, loud)
            notes.append((start + beat, 0.25, drum, round(force)))
        if bar + 1 in firsts:
            notes += [(start + piece.bar - 1 + k / 4, 0.2, SNARE, round(loud - 8 + 4 * k))
                      for k in range(1, 4)]  # fmt: skip
        else:
            notes.append((start + piece.bar - 0.5, 0.2, SNARE, round(loud - 12)))
    return notes


def clear_repeats(notes):
    """Shorten what still sounds when the same key is struck again; drop doubles."""
    last = {}
    for index, (start, length, pitch, velocity) in enumerate(list(notes)):
        if pitch in last:
            before = notes[last[pitch]]
            if before[0] + before[1] > start - 0.02:
                notes[last[pitch]] = (before[0], max(0.0, start - before[0] - 0.02), *before[2:])
        last[pitch] = index
        notes[index] = (start, length, pitch, velocity)
    notes[:] = [note for note in notes if note[1] > 0.03]
