"""The form of a piece: so many bars at a tempo, its phrases in their order, how the time yields."""

from dataclasses import dataclass

from make_theory import BAR, PULSE

MEASURES = 4
"""In a phrase; a measure is one bar, or two where bars are short and quick."""


@dataclass
class Section:
    """A stretch of bars: "Intro", "A", "A′", "B", …, "Coda"; `level` is its dynamic, 0–1."""

    name: str
    bar: int
    bars: int
    level: float


def tail(seconds):
    """How long the end may ring, in seconds."""
    return min(3.5, max(1.2, seconds * 0.06))


def measure(parameters, metre):
    """(bars, bpm, seconds): a number of bars that fills the time at a tempo within the range."""
    low, high = parameters["tempo"]
    pulses = BAR[metre] / PULSE[metre]
    if parameters["bars"]:
        bpm = (low + high) / 2
        music = parameters["bars"] * pulses * 60 / bpm
        return parameters["bars"], bpm, music + tail(music)
    seconds = parameters["seconds"]
    room = seconds - tail(seconds)
    bpm = (low + high) / 2
    ideal = room * bpm / 60 / pulses
    bars = max(2, round(ideal))
    if low != high:
        whole = [n for n in range(max(2, int(ideal * 0.88)), int(ideal * 1.12) + 2)
                 if low <= n * pulses * 60 / room <= high]  # fmt: skip
        # What four-bar phrases leave over makes an introduction and a coda: best one or two each.
        over = (0.5, 0, 0, 1) if ideal >= 10 else (1, 0.5, 1, 0)
        bars = min(whole, key=lambda n: (over[(n - 2) % MEASURES], abs(n - ideal)), default=bars)
    elif bars * pulses * 60 / bpm > seconds - 0.8:
        bars -= 1
    return max(2, bars), bpm, seconds


def plan(bars, phrase):
    """The form: an introduction, phrases of so many bars, a coda."""
    if bars < MEASURES + 2:
        return [Section("A″", 0, bars, 0.6)]
    phrases = (bars - (2 if bars >= 10 else 1)) // phrase
    spare = bars - phrases * phrase
    early = min(phrase // 2, spare // 2)
    late = spare - early
    names = form(phrases)
    levels = {"A": 0.5, "A′": 0.56, "B": 0.74, "B′": 0.82, "C": 0.66, "C′": 0.74, "A″": 0.6}
    sections = [Section("Intro", 0, early, 0.38)] if early else []
    bar = early
    for index, name in enumerate(names):
        lift = 0.1 if index == round(len(names) * 0.62) and len(names) > 3 else 0.0
        sections.append(Section(name, bar, phrase, levels[name] + lift))
        bar += phrase
    sections.append(Section("Coda", bar, late, 0.34))
    return sections


def form(phrases):
    """The order of phrases; the last is always the closing A″ (or a lone A)."""
    if phrases <= 2:
        return ["A", "A″"][:phrases] if phrases == 2 else ["A"]
    if phrases == 3:
        return ["A", "B", "A″"]
    names = ["A", "A′"]
    episodes = ["B", "B′"], ["C", "C′"]
    turn = 0
    while len(names) < phrases - 1:
        names += episodes[turn % 2] if len(names) + 2 <= phrases - 1 else episodes[turn % 2][:1]
        if len(names) < phrases - 2:
            names += ["A", "A′"] if len(names) + 2 <= phrases - 1 else ["A"]
        turn += 1
    return [*names[: phrases - 1], "A″"]


def pace(sections, bars, metre, style):
    """Rubato: the end of a phrase yields a little, the end of the piece broadly."""
    give = {"march": 0.0, "lively": 0.02, "waltz": 0.03, "birthday": 0.02}.get(style, 0.07)
    pulses = round(BAR[metre] / PULSE[metre])
    speeds = [1.0] * (bars * pulses)
    for section in sections:
        end = (section.bar + section.bars) * pulses
        for back in range(min(pulses, section.bars * pulses)):
            speeds[end - 1 - back] -= give * (1 - back / pulses)
    last = min(2 * pulses, max(pulses, len(speeds) // 8))
    slow = 0.12 if give < 0.05 else 0.3
    for back in range(last):
        speeds[-1 - back] -= slow * (1 - back / last)
    return speeds
