"""MIDI as a piano roll: time from left to right, pitch from below, a colour for each channel."""

from __future__ import annotations

from pathlib import Path

import mido
from checks import midi
from checks.report import Report
from PIL import Image, ImageDraw

from sight import SIDE, Sight, Unreadable, Wish

MOST_BYTES = 4 << 20
HEIGHT, ROW = 900, 12
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf")


def draw(path: Path, wish: Wish) -> Sight:
    if path.stat().st_size > MOST_BYTES:
        raise Unreadable(f"more than {MOST_BYTES >> 20} MB are not music")
    report = Report(str(path), path.stat().st_size)
    midi.check(path, report)
    facts = [line for line in report.text().partition(": ")[2].splitlines() if line != "  ok"]
    played = notes(mido.MidiFile(path))
    if not played:
        return Sight(Image.new("RGB", (SIDE, 200), "white"), facts, plain=True)
    for channel in sorted({note[0] for note in played}):
        own = [note for note in played if note[0] == channel]
        facts.append(
            f"channel {channel + 1}: {len(own)} notes from {min(n[1] for n in own)} to "
            f"{max(n[1] for n in own)}, {min(n[2] for n in own):.1f}-{max(n[3] for n in own):.1f} s"
        )
    return Sight(wish.cut(roll(played)), facts, plain=True)


def notes(music: mido.MidiFile) -> list[tuple[int, int, float, float]]:
    """Channel, pitch, beginning and end in seconds of every note."""
    if music.type == 2:
        raise Unreadable("its tracks are pieces of their own (type 2)")
    now, sounding, played = 0.0, {}, []
    for message in music:
        now += message.time
        if message.type not in ("note_on", "note_off"):
            continue
        key = (message.channel, message.note)
        if key in sounding:
            played.append((*key, sounding.pop(key), now))
        if message.type == "note_on" and message.velocity:
            sounding[key] = now
    return [*played, *((*key, start, now) for key, start in sounding.items())]


def roll(played: list[tuple[int, int, float, float]]) -> Image.Image:
    lowest, highest = min(note[1] for note in played) - 1, max(note[1] for note in played) + 1
    end = max(note[3] for note in played) or 1
    row = min(ROW, HEIGHT // (highest - lowest + 1))
    image = Image.new("RGB", (SIDE, row * (highest - lowest + 1)), "white")
    pen = ImageDraw.Draw(image)
    for pitch in range(lowest, highest + 1):
        if pitch % 12 in (1, 3, 6, 8, 10):
            top = (highest - pitch) * row
            pen.rectangle((0, top, SIDE, top + row - 1), "#eeeeee")
    for channel, pitch, start, stop in played:
        left, right, top = start / end * SIDE, stop / end * SIDE, (highest - pitch) * row
        colour = COLOURS[channel % len(COLOURS)]
        pen.rectangle((left, top + 1, max(left + 1, right - 1), top + row - 2), colour)
    return image
