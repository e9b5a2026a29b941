"""The chords of a piece and its melody, which is sought note by note.

A melody is the cheapest path through the degrees of the scale under costs that a composer would
recognise: chord notes on strong beats, steps before leaps, leaps that turn back, the shape of the
phrase, the motif heard again, and a cadence that arrives.
"""

import itertools
import math
from dataclasses import dataclass, replace

from make_form import MEASURES
from make_theory import BAR, CADENCES, HARMONY, RHYTHMS, at, chord

MANNER = {
    "calm": "quiet", "sad": "quiet", "lullaby": "quiet", "waltz": "brisk", "birthday": "brisk",
    "lively": "brisk", "march": "dotted", "grand": "dotted", "chinese": "flowing",
}  # fmt: skip
PENTATONIC = {"major": {0, 1, 2, 4, 5}, "minor": {0, 2, 3, 4, 6}}
BEAM = 80
"""How many paths are followed at once."""


@dataclass(frozen=True)
class Note:
    """A melody note; `start` and `length` in crotchets, `force` about 0–1."""

    start: float
    length: float
    degree: int
    raised: bool
    force: float


class Composer:
    """Writes one section after another and remembers the themes."""

    def __init__(self, key, metre, style, unit, pentatonic, rng):
        self.key, self.metre, self.style, self.rng = key, metre, style, rng
        self.chords, self.notes = [], []
        self.bar, self.unit = BAR[metre], unit
        self.measure = unit * self.bar
        table = HARMONY[key.mode]
        self.head = rng.choice(table["head"])
        self.open, self.close = rng.choice(table["open"]), rng.choice(table["close"])
        self.away, self.back = rng.choice(table["away"]), rng.choice(table["back"])
        others = [chords for chords in table["away"] if chords != self.away]
        self.third, self.third_back = rng.choice(others), rng.choice(table["back"])
        self.end, self.intro = rng.choice(table["end"]), rng.choice(table["intro"])
        pool = RHYTHMS[metre, MANNER[style]]
        rng.shuffle(pool := list(pool))
        # Each theme takes rhythms of its own from the pool, as far as it goes.
        pool = [*pool, *pool]
        self.rhythms = {t: self.ideas(pool[2 * i : 2 * i + 2], pool) for i, t in enumerate("ABC")}
        self.themes = {}
        # Tonics in the upper half of their octave take the melody down with them.
        self.drop = 2 if key.home > 65 else 0
        scale = range(-3 - self.drop, 11 - self.drop)
        self.allowed = [d for d in scale if not pentatonic or d % 7 in PENTATONIC[key.mode]]

    def ideas(self, pair, pool):
        """Two rhythms of a measure each: an idea and its answer."""
        first, second = pair
        if self.unit == 1:
            return first, second
        fewest = min(map(len, pool))
        calm = self.rng.choice([bar for bar in pool if len(bar) == fewest])
        return first + second, first + calm

    def write(self, section):
        """Compose one section: its chords, and its melody after the introduction."""
        chords = []
        for index, names in enumerate(self.harmony(section)):
            start = section.bar * self.bar + index * self.measure
            length = min(self.measure, (section.bar + section.bars) * self.bar - start)
            cuts = self.cuts(len(names.split()), length)
            for name, begin, end in zip(names.split(), cuts[:-1], cuts[1:], strict=True):
                chords.append(chord(name, self.key, start + begin, end - begin))
        self.chords += chords
        if section.name != "Intro":
            self.notes += self.melody(section, chords)

    def cuts(self, count, length):
        """Where the chords of a measure of this length begin, and its end."""
        half = {3.0: 1.5 if self.metre == "6/8" else 2.0}.get(length, length / 2)
        if count < 3:
            return [0.0, length] if count == 1 else [0.0, half, length]
        quarter = length - (1.0 if length >= 3 else 0.5)
        return [0.0, half if half < quarter else 1.0, quarter, length]

    def harmony(self, section):
        """The Roman numerals of each bar."""
        tonic = "I" if self.key.mode == "major" else "i"
        measures = math.ceil(section.bars / self.unit)
        if section.name == "Intro":
            bars = self.intro.split(" | ")[:measures]
        elif section.name == "Coda":
            bars = self.end.split(" | ")[-measures:]
        elif measures < MEASURES:
            bars = [*self.head.split(" | ")[: measures - 1], tonic]
        elif section.name[0] == "A":
            bars = f"{self.head} | {self.open if section.name == 'A' else self.close}".split(" | ")
        else:
            first, second = (
                (self.away, self.back) if section.name[0] == "B" else (self.third, self.third_back)
            )
            bars = (second if section.name.endswith("′") else first).split(" | ")
        return bars + [tonic] * (measures - len(bars))

    def melody(self, section, chords):
        """The notes of a section."""
        if section.name == "Coda":
            return self.coda(section, chords)
        theme = section.name[0]
        whole = section.bars == MEASURES * self.unit
        final = section.name in ("A′", "A″") or not whole
        kept = self.themes.get("A") if section.name in ("A′", "A″") else None
        if section.name == "A" and kept is None and "A" in self.themes:
            return self.moved(self.themes["A"], section)
        rhythm = self.rhythm(theme, section, final)
        begin = section.bar * self.bar
        fixed = {}
        if kept:
            offset = begin - kept[0].start
            half = begin + 2 * self.measure
            fixed = {n.start + offset: n.degree for n in kept if n.start + offset < half}
        motif = self.themes.get(theme)
        notes = self.search(section, rhythm, chords, fixed, final, motif)
        if section.name == "A″":
            notes = self.ornamented(notes, begin, chords)
        if section.name in ("A", "B", "C"):
            self.themes[theme] = notes
        return notes

    def moved(self, notes, section):
        offset = section.bar * self.bar - notes[0].start
        return [replace(note, start=note.start + offset) for note in notes]

    def rhythm(self, theme, section, final):
        """(start, length) of every note or rest: idea, answer, idea again, cadence."""
        first, second = self.rhythms[theme]
        closings = CADENCES[self.metre]["close" if final else "open"]
        # A piece of one phrase has no coda: its last note fills the bar.
        alone = section.name == "A″" and "A" not in self.themes
        closing = closings[0] if alone else self.rng.choice(closings)
        time, out = section.bar * self.bar, []
        end = time + section.bars * self.bar
        for length in [*first, *second, *first, *second]:
            if time >= end - self.bar:
                break
            out.append((time, min(float(length), end - self.bar - time)))
            time += length
        time = end - self.bar
        for length in closing:
            if length > 0:
                out.append((time, float(length)))
            time += abs(length)
        return out

    def search(self, section, rhythm, chords, fixed, final, motif):
        """The best melody for a rhythm: a beam search over degrees."""
        begin, span = section.bar * self.bar, section.bars * self.bar
        low, high = {"A": (1.5, 4.5), "B": (3.5, 7.0), "C": (2.5, 6.0)}[section.name[0]]
        pattern = intervals(motif) if motif else {}
        harmonies = [at(chords, start) for start, _ in rhythm]
        starts = [start for start, _ in rhythm]
        paths = [(0.0, ())]
        for index, (start, length) in enumerate(rhythm):
            place = (start - begin) / span
            shape = low + (high - low) * (1 - (2 * min(1, place / 0.9) - 1.1) ** 2 / 1.21)
            ends = index == len(rhythm) - 1 or (length >= self.bar / 2 and place > 0.7)
            # The third measure says the first again, on its own chord.
            again = start - 2 * self.measure
            same = starts.index(again) if again in starts and index < len(rhythm) - 1 else 0
            grown = []
            for cost, path in paths:
                for degree in self.allowed:
                    if start in fixed and degree != fixed[start]:
                        continue
                    extra = self.cost(path, degree, rhythm[index], harmonies, shape - self.drop)
                    if ends:
                        extra += self.cadence(degree, harmonies[index], final, section)
                    if same:
                        wanted = path[same] - path[same - 1]
                        extra += 0.7 * min(4, abs(degree - path[-1] - wanted))
                    if path and start - begin in pattern:
                        extra += 0.5 * min(4, abs(degree - path[-1] - pattern[start - begin]))
                    grown.append((cost + extra + self.rng.random() * 0.9, (*path, degree)))
            grown.sort(key=lambda item: item[0])
            paths = grown[:BEAM]
        best = paths[0][1]
        notes = []
        for (start, length), degree, harmony in zip(rhythm, best, harmonies, strict=True):
            raised = degree % 7 in harmony.raised
            notes.append(Note(start, length, degree, raised, self.force(section, start, length)))
        return notes

    def cost(self, path, degree, beat, harmonies, shape):
        """What a note costs where it stands."""
        start, length = beat
        harmony = harmonies[len(path)]
        strong = start % self.bar == 0 or (self.metre == "4/4" and start % 2 == 0)
        strong = strong or (self.metre == "6/8" and start % 1.5 == 0)
        inside = harmony.has(degree)
        total = 0.3 * abs(degree - shape)
        clash = (degree - harmony.root) % 7 == 3 and not inside
        if not inside:
            total += (5.0 if strong else 0.5) + (2.5 if length >= 1.5 else 0) + (2 if clash else 0)
        if not path:
            return total + (0 if inside else 3)
        step = degree - path[-1]
        total += (1.5, 0.0, 0.9, 1.5, 2.1, 3.2, 4.5, 4.0)[min(7, abs(step))] + 9 * (abs(step) > 7)
        if abs(step) > 1:
            total += 4 * (not inside) + 4 * (not harmonies[len(path) - 1].has(path[-1]))
        if len(path) > 1:
            before = path[-1] - path[-2]
            if abs(before) >= 3 and step * before > 0:
                total += 3 if abs(step) < 3 else 7
            if before == 0 and step == 0:
                total += 4
            if step == -before and len(path) > 2 and path[-3] == path[-1]:
                total += 2.5
        if abs(self.key.pitch(degree) - self.key.pitch(path[-1])) % 12 == 6:
            total += 3
        if 6 in harmony.raised and {degree % 7, path[-1] % 7} == {5, 6}:
            total += 8
        return total

    def cadence(self, degree, harmony, final, section):
        """What it costs to rest on a degree."""
        if final:
            arrived = {0: 0.0, 2: 1.5 if section.name == "A′" else 4.0}
            return arrived.get(degree % 7, 9.0)
        return 0.0 if harmony.has(degree) else 6.0

    def force(self, section, start, length):
        accent = 0.07 if start % self.bar == 0 else 0.0
        place = (start - section.bar * self.bar) / (section.bars * self.bar)
        swell = 0.1 * (1 - (2 * place - 1.1) ** 2)
        return section.level + accent + swell + (0.04 if length >= 1.5 else 0)

    def ornamented(self, notes, begin, chords):
        """The theme's return: some long notes turn about their neighbour."""
        out = []
        for index, note in enumerate(notes):
            following = notes[index + 1] if index + 1 < len(notes) else None
            early = note.start < begin + 2 * self.measure
            if early and following and note.length in (1.0, 2.0) and self.rng.random() < 0.4:
                half = note.length / 2
                gap = following.degree - note.degree
                middle = note.degree + (1 if gap > 0 else -1) if abs(gap) == 2 else note.degree + 1
                if middle in self.allowed and half >= 0.5:
                    harmony = at(chords, note.start)
                    raised = middle % 7 in harmony.raised
                    out += [
                        replace(note, length=half),
                        Note(note.start + half, half, middle, raised, note.force - 0.05),
                    ]
                    continue
            out.append(note)
        return out

    def coda(self, section, chords):
        """The head of the theme once more, then the tonic."""
        begin, theme = section.bar * self.bar, self.themes["A"]
        end = begin + section.bars * self.bar
        hold = next(c for c in chords if c.start + c.length == end).start
        notes = []
        if section.bars > 1:
            for note in self.moved(
                [n for n in theme if n.start < theme[0].start + self.bar], section
            ):
                harmony = at(chords, note.start)
                near = min(self.allowed, key=lambda d: (not harmony.has(d), abs(d - note.degree)))
                long = note.length >= 1 or note.start % 1 == 0
                degree = near if long and not harmony.has(note.degree) else note.degree
                raised = degree % 7 in harmony.raised
                notes.append(replace(note, degree=degree, raised=raised, force=section.level))
            for bar in range(1, round((hold - begin) / self.bar)):
                start = begin + bar * self.bar
                harmony = at(chords, start)
                degree = min(
                    (d for d in self.allowed if harmony.has(d)), key=lambda d: abs(d - 1.5)
                )
                raised = degree % 7 in harmony.raised
                notes.append(Note(start, self.bar, degree, raised, section.level))
        notes = [n for n in notes if n.start < hold]
        before = (notes or self.notes)[-1].degree
        tonic = min((0, 7), key=lambda degree: abs(degree - before))
        return [*notes, Note(hold, end - hold, tonic, False, section.level - 0.06)]


def intervals(notes):
    """The step into each note, by its place in the phrase."""
    begin = notes[0].start
    pairs = itertools.pairwise(notes)
    return {after.start - begin: after.degree - before.degree for before, after in pairs}
