"""Sound files: format, loudness, clipping, silence, the seam of a loop."""

from __future__ import annotations

from pathlib import Path

import numpy
import soundfile

from checks.probe import loudness, probe
from checks.report import Report, Unreadable


def check(path: Path, report: Report) -> None:
    container, streams = probe(path)
    sounds = [stream for stream in streams if stream["codec_type"] == "audio"]
    if not sounds:
        raise Unreadable("no sound in it")
    sound, seconds = sounds[0], float(container.get("duration", 0))
    report.kind = "sound"
    report.seconds = round(seconds, 2)
    report.facts |= {
        "seconds": round(seconds, 2),
        "codec": sound["codec_name"],
        "rate": f"{sound['sample_rate']} Hz",
        "channels": sound["channels"],
    }
    if seconds < 0.05:
        report.fail("no_length", "there is nothing to hear: it has no length")
        return
    loudness(path, report, seconds)
    if "loop" in path.stem.lower() and path.suffix.lower() in (".wav", ".flac", ".ogg"):
        seam(path, report)


def seam(path: Path, report: Report) -> None:
    """A file called a loop must not click where its end meets its start."""
    samples, _ = soundfile.read(path, always_2d=True)
    steps = numpy.abs(numpy.diff(samples, axis=0)).max(axis=1)
    jump = float(numpy.abs(samples[0] - samples[-1]).max())
    usual = float(numpy.percentile(steps, 99.9))
    report.facts["loop seam"] = f"{jump:.3f} (largest usual step {usual:.3f})"
    if jump > 0.02 and jump > 1.5 * usual:
        report.warn(
            "loop_seam",
            f"the loop clicks: the signal jumps by {jump:.2f} from its end to its start",
            jump=round(jump, 2),
        )
