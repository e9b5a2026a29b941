"""Keys, chords and rhythms: what the composer chooses from.

Positions and lengths are in crotchets; a degree counts scale steps from the tonic (0), across
octaves; pitches are MIDI numbers.
"""

from dataclasses import dataclass

LETTERS = "CDEFGAB"
NATURAL = (0, 2, 4, 5, 7, 9, 11)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
MINOR = (0, 2, 3, 5, 7, 8, 10)
ROMAN = {"i": 0, "ii": 1, "iii": 2, "iv": 3, "v": 4, "vi": 5, "vii": 6}
BAR = {"4/4": 4.0, "3/4": 3.0, "2/4": 2.0, "6/8": 3.0}
PULSE = {"4/4": 1.0, "3/4": 1.0, "2/4": 1.0, "6/8": 1.5}


class Key:
    """A tonic ("Bb") and a mode, and how its notes are spelt."""

    def __init__(self, tonic, mode):
        self.tonic, self.mode = tonic, mode
        self.scale = MAJOR if mode == "major" else MINOR
        self.letter = LETTERS.index(tonic[0])
        self.root = (NATURAL[self.letter] + {"#": 1, "b": -1}.get(tonic[1:], 0)) % 12
        self.home = 58 + (self.root - 10) % 12
        relative = self.root if mode == "major" else (self.root + 3) % 12
        sharps = (relative * 7) % 12
        flat_name = tonic[1:] == "b" or tonic == "F" or (mode == "minor" and tonic in "DGCF")
        self.fifths = sharps - 12 if sharps > 6 or (sharps == 6 and flat_name) else sharps
        if sharps == 5 and tonic[1:] == "b":
            self.fifths = -7
        if sharps == 7 and tonic[1:] != "b":
            self.fifths = 7

    def pitch(self, degree, raised=False):
        """The MIDI number of a degree, degree 0 being the tonic from B♭3 to A4."""
        octave, step = divmod(degree, 7)
        return self.home + 12 * octave + self.scale[step] + raised

    def spelt(self, degree, raised=False):
        """(letter, alteration -2..2, octave) of a degree, octave 4 beginning at middle C."""
        letter = LETTERS[(self.letter + degree) % 7]
        pitch = self.pitch(degree, raised)
        alteration = (pitch - NATURAL[LETTERS.index(letter)] + 6) % 12 - 6
        return letter, alteration, (pitch - alteration) // 12 - 1


@dataclass(frozen=True)
class Chord:
    """A chord on a degree of a key, from `start` for `length` crotchets.

    `raised` are the steps (0–6) that are a semitone higher than in the key.
    """

    start: float
    length: float
    root: int
    steps: tuple
    bass: int
    raised: frozenset
    symbol: str

    def has(self, degree):
        return degree % 7 in self.steps


def chord(roman, key, start, length):
    """The chord of a Roman numeral: "ii7", "V/7" (bass on the seventh degree), "IVadd9"."""
    name, _, bass = roman.partition("/")
    figure = name.lstrip("iIvV")
    numeral = name[: len(name) - len(figure)]
    root = ROMAN[numeral.lower()]
    steps = [root, root + 2, root + 4]
    if figure == "sus4":
        steps[1] = root + 3
    elif figure in ("7", "maj7"):
        steps.append(root + 6)
    elif figure == "add9":
        steps.append(root + 8)
    raised = set()
    third = (key.scale[(root + 2) % 7] - key.scale[root]) % 12
    if numeral.isupper() and third == 3 and figure != "sus4":
        raised.add((root + 2) % 7)
    lowest = int(bass) - 1 if bass else root
    return Chord(
        start, length, root, tuple(s % 7 for s in steps), lowest, frozenset(raised),
        symbol(key, root, steps, raised, figure, lowest),
    )  # fmt: skip


def symbol(key, root, steps, raised, figure, bass):
    """The chord symbol as it is printed: "Am7", "G/B", "D(add9)"."""

    def tone(step):
        return (key.scale[step % 7] + (step % 7 in raised)) % 12

    def name(step):
        letter, alteration, _ = key.spelt(step, step % 7 in raised)
        return letter + {-1: "♭", 1: "♯", 2: "𝄪", -2: "♭♭"}.get(alteration, "")

    third, fifth = ((tone(steps[i]) - tone(root)) % 12 for i in (1, 2))
    text = name(root)
    if fifth == 6:
        text += "m7♭5" if figure == "7" else "dim"
    else:
        text += "m" if third == 3 else ""
        if figure in ("7", "maj7"):
            text += "maj7" if (tone(steps[3]) - tone(root)) % 12 == 11 else "7"
        else:
            text += {"sus4": "sus4", "add9": "(add9)"}.get(figure, "")
    return text if bass == root else f"{text}/{name(bass)}"


def at(chords, start):
    """The chord that sounds at a position."""
    return next(c for c in chords if c.start <= start < c.start + c.length)


# Harmony: a phrase of four bars is a head and a tail of two bars each, so that the answer to a
# phrase can begin like it and end elsewhere. A bar may hold two chords.
HARMONY = {
    "major": {
        "head": ["I | vi7", "I | V/7", "I | IVmaj7", "I | I/3", "I | iii7", "I | IV/1", "I | ii7"],
        "open": ["ii7 | V", "IV | Vsus4 V", "vi7 | V", "IV | V", "ii7 IV | V"],
        "close": ["ii7 V7 | I", "IV V7 | I", "I/5 V7 | I", "vi ii7 V7 | I", "IV V | Iadd9"],
        "away": [
            "vi | iii7 | IV | V", "IVmaj7 | I/3 | ii7 | V", "vi | IV | ii7 | V7",
            "IV | V | iii7 | vi", "ii7 | V | iii7 vi | V",
        ],
        "back": ["vi7 | ii7 | IV | V7", "IV | iii7 | ii7 | V7", "vi | II7 | ii7 | V7"],
        "end": ["IVadd9 | I", "ii7 V7 | I", "IV/1 | Iadd9"],
        "intro": ["I | IV/1", "I | Vsus4", "Iadd9 | IVmaj7"],
    },
    "minor": {
        "head": ["i | VImaj7", "i | VII", "i | iv7", "iadd9 | VImaj7", "i | VII/2", "i | v/7"],
        "open": ["iv7 | V", "VI | Vsus4 V", "iv VI | V", "III | V", "VImaj7 | VII"],
        "close": ["iv7 V7 | i", "VI V7 | i", "ii7 V7 | i", "i/5 V7 | i", "iv V | iadd9"],
        "away": [
            "III | VII | VImaj7 | VII", "VImaj7 | VII | III | VII", "VImaj7 | III | iv7 | V",
            "III | VII/2 | i | VII",
        ],
        "back": ["VImaj7 | VII | iv7 | V7", "iv7 | VII | III VI | V7", "III | VII | VI | V7"],
        "end": ["iv7 | i", "iv V7 | i", "VImaj7 | iadd9"],
        "intro": ["i | VImaj7", "i | iv7", "iadd9 | VImaj7"],
    },
}  # fmt: skip

# Rhythms of one bar, by metre and manner; cadences end a phrase (a negative length is a rest).
RHYTHMS = {
    ("4/4", "quiet"): [
        (2, 0.5, 0.5, 1), (1.5, 0.5, 2), (1, 1, 2), (1.5, 0.5, 1, 1), (2, 1, 1), (1, 0.5, 0.5, 2),
    ],
    ("4/4", "brisk"): [
        (1, 0.5, 0.5, 1, 1), (0.5, 0.5, 1, 0.5, 0.5, 1), (1.5, 0.5, 0.5, 0.5, 1),
        (1, 1, 0.5, 0.5, 1), (0.5, 1, 0.5, 1, 1),
    ],
    ("4/4", "dotted"): [
        (1.5, 0.5, 1, 1), (1, 0.75, 0.25, 1, 1), (1.5, 0.5, 1.5, 0.5), (2, 0.75, 0.25, 1),
        (0.75, 0.25, 0.75, 0.25, 1, 1),
    ],
    ("4/4", "flowing"): [
        (1.5, 0.5, 1, 1), (1, 0.5, 0.5, 2), (1.5, 0.25, 0.25, 2), (0.5, 0.5, 1, 2),
        (2, 1, 0.5, 0.5), (1.5, 0.5, 0.5, 0.5, 1),
    ],
    ("3/4", "quiet"): [(2, 1), (1.5, 0.5, 1), (1, 1, 1), (2, 0.5, 0.5), (1, 0.5, 0.5, 1)],
    ("3/4", "brisk"): [
        (1, 1, 1), (2, 1), (1.5, 0.5, 1), (1, 0.5, 0.5, 1), (2, 0.5, 0.5), (0.5, 0.5, 1, 1),
    ],
    ("3/4", "dotted"): [(0.75, 0.25, 1, 1), (1.5, 0.5, 1), (2, 0.75, 0.25), (1, 1, 1)],
    ("2/4", "quiet"): [(1, 1), (1.5, 0.5), (1, 0.5, 0.5), (0.5, 0.5, 1)],
    ("2/4", "brisk"): [
        (0.5, 0.5, 0.5, 0.5), (1, 0.5, 0.5), (0.5, 0.5, 1), (0.75, 0.25, 0.5, 0.5),
        (0.5, 0.25, 0.25, 1), (0.5, 1, 0.5),
    ],
    ("2/4", "dotted"): [(0.75, 0.25, 1), (0.75, 0.25, 0.75, 0.25), (1, 0.75, 0.25), (1, 1)],
    ("6/8", "quiet"): [
        (1, 0.5, 1, 0.5), (1.5, 1, 0.5), (1, 0.5, 1.5), (0.5, 0.5, 0.5, 1.5),
        (1.5, 0.5, 0.5, 0.5),
    ],
    ("6/8", "brisk"): [
        (0.5, 0.5, 0.5, 1, 0.5), (1, 0.5, 0.5, 0.5, 0.5), (1, 0.5, 1, 0.5),
        (0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
    ],
    ("6/8", "dotted"): [(0.75, 0.25, 0.5, 1, 0.5), (1, 0.5, 1, 0.5), (1.5, 0.75, 0.25, 0.5)],
}  # fmt: skip
for _metre in ("3/4", "2/4", "6/8"):
    RHYTHMS[_metre, "flowing"] = RHYTHMS[_metre, "quiet"]
CADENCES = {
    "4/4": {"open": [(3, 0.5, 0.5), (2, 1, 1), (3, -1), (2, 2)], "close": [(4,), (3, -1), (2, -2)]},
    "3/4": {"open": [(2, 0.5, 0.5), (2, 1), (3,)], "close": [(3,), (2, -1)]},
    "2/4": {"open": [(1, 0.5, 0.5), (1, 1), (2,)], "close": [(2,), (1, -1)]},
    "6/8": {
        "open": [(1.5, 1, 0.5), (1.5, 1.5), (1.5, 0.5, 0.5, 0.5)],
        "close": [(3,), (2.5, -0.5)],
    },
}
