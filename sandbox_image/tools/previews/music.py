"""MIDI: its notes, from the left edge to the right, and how it sounds."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import mido
from PIL import Image, ImageDraw
from sight.notes import MOST_BYTES, notes

from previews import Subject, Unreadable
from previews.ground import SIZE, board
from previews.poster import poster

SOUNDFONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
MOST_SECONDS, TAIL_SECONDS = 300, 3
RATE = 44100
FINE = 2
COLOURS = (
    "#8eb2ff", "#ffb454", "#6fdcb0", "#ff8fa3", "#c9a2ff", "#5ad1e6", "#f2e27a", "#b9c7e8",
)  # fmt: skip
DAMAGED = (OSError, EOFError, ValueError, KeyError, IndexError, AttributeError)


def show(subject: Subject) -> Iterator[dict]:
    if subject.path.stat().st_size > MOST_BYTES:
        raise Unreadable(f"more than {MOST_BYTES >> 20} MB are not music")
    try:
        played = notes(mido.MidiFile(subject.path))
    except DAMAGED as error:
        raise Unreadable(f"not a MIDI file: {error or type(error).__name__}") from None
    if not played:
        raise Unreadable("there is not one note in it")
    seconds = max(note[3] for note in played)
    yield {"seconds": round(seconds, 2)}
    yield poster(roll(played), subject.into)
    yield from sound(subject, seconds)


def roll(played: list[tuple[int, int, float, float]]) -> Image.Image:
    """Time from left to right, pitch from below, a colour for each channel."""
    lowest, highest = min(note[1] for note in played), max(note[1] for note in played)
    # A melody of few pitches does not become a row of bricks.
    room = max(0, 18 - (highest - lowest)) // 2
    lowest, highest = lowest - 2 - room, highest + 2 + room
    end = max(note[3] for note in played) or 1
    image = board(FINE)
    pen, (width, height) = ImageDraw.Draw(image, "RGBA"), image.size
    row = height / (highest - lowest + 1)
    for pitch in range(lowest, highest + 1):
        if pitch % 12 == 0:
            below = (highest - pitch + 1) * row
            pen.line((0, below, width, below), (255, 255, 255, 22), FINE)
    channels = {channel: number for number, channel in enumerate(sorted({n[0] for n in played}))}
    for channel, pitch, start, stop in sorted(played, key=lambda note: note[2]):
        left, top = start / end * width, (highest - pitch) * row
        right = max(left + 2 * FINE, stop / end * width - FINE)
        thick = max(2 * FINE, row * 0.82)
        colour = COLOURS[channels[channel] % len(COLOURS)]
        pen.rounded_rectangle(
            (left, top, right, top + thick), min(thick, right - left) / 2.6, colour
        )
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def sound(subject: Subject, seconds: float) -> Iterator[dict]:
    """Plays it with the image's instruments."""
    target = subject.into / "sound.mp3"
    length = min(MOST_SECONDS, seconds + TAIL_SECONDS)
    player = subprocess.Popen(
        [
            *("fluidsynth", "-n", "-i", "-q", "-g", "0.6", "-r", str(RATE), "-T", "raw"),
            *("-O", "s16", "-F", "/dev/stdout", SOUNDFONT, str(subject.path)),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with player:
        written = subprocess.run(
            [
                *("ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", str(RATE), "-ac", "2"),
                *("-i", "pipe:0", "-t", str(length), "-b:a", "160k", str(target)),
            ],
            stdin=player.stdout,
            check=False,
        )
        player.kill()
    if written.returncode == 0 and target.exists():
        yield {"previews": [{"role": "sound", "file": target.name}]}
    else:
        target.unlink(missing_ok=True)
