"""How the music of each theme sounds."""

from __future__ import annotations

from dataclasses import dataclass

MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
PENTATONIC = (0, 2, 4, 7, 9)


@dataclass(frozen=True)
class Style:
    """How a theme sounds. Programs are General MIDI numbers; degrees count from 0."""

    tempo: int
    metre: int
    root: int
    scale: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    lead: tuple[int, ...]
    chords: int
    pattern: str
    bass: int
    pad: int
    drums: str = ""
    bell: int = 9
    tick: str = "pop"


STYLES = {
    "party": Style(
        174, 3, 60, MAJOR, (0, 3, 4, 0), (0, 3, 4, 0),
        (9, 72), 24, "oompah", 32, 48, "party",
    ),
    "festival": Style(
        126, 4, 62, PENTATONIC, (0, 5, 3, 4), (0, 5, 1, 4),
        (107, 73), 46, "stab", 45, 48, "taiko", 14,
    ),
    "newyear": Style(
        124, 4, 60, MAJOR, (5, 3, 0, 4), (0, 4, 5, 3),
        (80, 61), 0, "eighths", 38, 50, "dance", 14,
    ),
    "wedding": Style(
        84, 4, 63, MAJOR, (0, 4, 5, 3), (0, 3, 1, 4),
        (0, 40), 46, "arpeggio", 42, 48, "", 10, "soft",
    ),
    "space": Style(
        116, 4, 57, MINOR, (0, 5, 2, 6), (2, 6, 0, 5),
        (81, 60), 90, "arpeggio", 38, 89, "pulse", 14, "beep",
    ),
    "sport": Style(
        132, 4, 57, MINOR, (0, 5, 2, 6), (2, 6, 5, 4),
        (61, 30), 29, "stab", 33, 48, "rock", 14, "beep",
    ),
    "nature": Style(
        80, 4, 62, MAJOR, (0, 2, 3, 4), (0, 4, 3, 4),
        (0, 73), 46, "arpeggio", 42, 48, "", 10, "soft",
    ),
    "christmas": Style(
        112, 4, 65, MAJOR, (0, 5, 3, 4), (0, 3, 1, 4),
        (9, 48), 46, "arpeggio", 43, 52, "bells", 14, "soft",
    ),
    "minimal": Style(
        108, 4, 64, MAJOR, (0, 5, 3, 4), (0, 4, 5, 3),
        (12, 11), 4, "eighths", 38, 89, "pulse", 14, "soft",
    ),
}  # fmt: skip
