"""Sound as a picture: its waveform above its frequencies."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy
from checks.probe import loudness, measure, probe
from checks.report import Report, run
from PIL import Image

from sight import Sight, Unreadable, Wish
from sight.sheet import sheet

SECONDS = 30
MOST_SECONDS = 900
RATE, STEPS = 4000, 24
SIZE = "1400x400"
SPECTRUM = f"s={SIZE}:legend=0:fscale=log:stop=16000"


def draw(path: Path, wish: Wish) -> Sight:
    container, streams = probe(path)
    sound = next((stream for stream in streams if stream["codec_type"] == "audio"), None)
    if sound is None:
        raise Unreadable("no sound in it")
    seconds = float(container.get("duration", 0))
    report = Report(str(path), path.stat().st_size, "sound")
    report.facts |= {"seconds": round(seconds, 2), "codec": sound["codec_name"]}
    if not wish.brief:
        loudness(measure(path, sound=True), report, seconds)
    facts = report.text().partition(": ")[2].splitlines()
    facts = [line for line in facts if line != "  ok"]
    shown = min(seconds, MOST_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        wave, heard, raw = (Path(folder, name) for name in ("w.png", "s.png", "r"))
        ffmpeg = ("ffmpeg", "-v", "error", "-t", str(MOST_SECONDS), "-i", str(path))
        split = (
            f"[0:a:0]asplit=3[a][b][c];[a]showwavespic=s={SIZE}[w];[b]showspectrumpic={SPECTRUM}[s]"
        )
        outputs = ("-map", "[w]", str(wave), "-map", "[s]", str(heard))
        levels = ("-map", "[c]", "-ac", "1", "-ar", str(RATE), "-f", "f32le", str(raw))
        result = run(*ffmpeg, "-filter_complex", split, *outputs, *levels, seconds=SECONDS)
        if not (wave.exists() and heard.exists() and raw.exists()):
            lines = result.stderr.strip().splitlines() or ["nothing to hear"]
            raise Unreadable(f"it does not decode: {lines[-1]}")
        samples = numpy.fromfile(raw, dtype="<f4")
        pictures = [
            (f"waveform, {shown:.1f} s", over_paper(Image.open(wave))),
            (
                "frequencies up to 16 kHz, the low ones below; brighter is louder",
                Image.open(heard).convert("RGB"),
            ),
        ]
    parts = [part for part in numpy.array_split(samples, STEPS) if len(part)]
    loud = [10 * numpy.log10(max(1e-9, float(numpy.mean(part**2)))) for part in parts]
    steps = " ".join(f"{max(-90, level):.0f}" for level in loud)
    facts.append(f"level in dB, {len(loud)} steps of {shown / max(1, len(loud)):.1f} s: {steps}")
    return Sight(sheet(pictures), facts, plain=True)


def over_paper(wave: Image.Image) -> Image.Image:
    board = Image.new("RGB", wave.size, "white")
    board.paste((30, 60, 120), mask=wave.convert("RGBA").getchannel("A"))
    return board
