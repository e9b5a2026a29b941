"""Sound files: format, loudness, clipping, silence, the seam of a loop."""

from __future__ import annotations

from pathlib import Path

from checks.probe import loudness, measure, probe, whole
from checks.report import Report, Unreadable
from checks.video import BOXES, index_first

OGG_PAGE = 128 << 10
SEAMLESS = (".wav", ".flac", ".ogg")


def check(path: Path, report: Report) -> None:
    if path.suffix.lower() in BOXES:
        index_first(path)
    container, streams = probe(path, report)
    sounds = [stream for stream in streams if stream["codec_type"] == "audio"]
    if not sounds:
        raise Unreadable("no sound in it", "no_sound")
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
    if path.suffix.lower() == ".wav" and (missing := bytes_missing(path)):
        raise Unreadable(f"it is cut off: {missing:,} of its bytes are missing", "truncated")
    if container["format_name"] == "ogg" and not ogg_ends(path):
        raise Unreadable("it is cut off: its last page is missing", "truncated")
    measured = measure(path, sound=True)
    whole(measured.seconds, seconds)
    loudness(measured, report, seconds)
    if "loop" in path.stem.lower() and path.suffix.lower() in SEAMLESS:
        seam(path, report)


def bytes_missing(path: Path) -> int:
    """How many bytes a RIFF file is shorter than it says; one written to a pipe says nothing."""
    with path.open("rb") as file:
        head = file.read(8)
    said = int.from_bytes(head[4:8], "little")
    if head[:4] != b"RIFF" or said >= 0xFFFF_F000:
        return 0
    return max(0, said + 8 - path.stat().st_size)


def ogg_ends(path: Path) -> bool:
    """Whether the last page of an Ogg file is marked as the last."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - OGG_PAGE))
        data = file.read()
    at = data.rfind(b"OggS")
    if at < 0:
        return True
    head = data[at : at + 27]
    sizes = data[at + 27 : at + 27 + head[26]] if len(head) == 27 else b""
    return bool(sizes) and bool(head[5] & 4) and at + 27 + head[26] + sum(sizes) <= len(data)


def seam(path: Path, report: Report) -> None:
    """A file called a loop must not click where its end meets its start."""
    import numpy
    import soundfile

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
