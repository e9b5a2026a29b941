"""Sound and video as ffmpeg reads them, as the one format that they are.

A file that ffmpeg may take for whatever it likes can be a list of other files.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy
from checks.report import run

from previews import Subject, Unreadable

DEMUXERS = {
    "video/mp4": "mov",
    "video/quicktime": "mov",
    "audio/mp4": "mov",
    "video/webm": "matroska",
    "video/x-matroska": "matroska",
    "video/x-msvideo": "avi",
    "video/x-flv": "flv",
    "video/mpeg": "mpeg",
    "video/mp2t": "mpegts",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/flac": "flac",
    "audio/aac": "aac",
    "audio/aiff": "aiff",
}
PROBE_SECONDS = 20
RATE, CHANNELS = 8000, 2
# What one sample of the envelope stands for, in samples of the sound.
STEP = RATE // 50
MOST_PEAKS = 1000
LEVELS = ("-ar", str(RATE), "-ac", str(CHANNELS), "-f", "s16le", "pipe:1")


def source(subject: Subject) -> tuple[str, ...]:
    """ffmpeg's options for the file."""
    if subject.media_type not in DEMUXERS:
        raise Unreadable(f"{subject.media_type} is not shown here")
    demuxer = DEMUXERS[subject.media_type]
    return ("-protocol_whitelist", "file", "-f", demuxer, "-i", f"file:{subject.path}")


def probe(subject: Subject) -> tuple[float, dict | None, dict | None]:
    """Its seconds (0 when nobody knows), and its first streams of pictures and of sound."""
    shown = ("-show_format", "-show_streams", "-of", "json")
    result = run("ffprobe", "-v", "error", *shown, *source(subject), seconds=PROBE_SECONDS)
    if result.returncode:
        raise Unreadable((result.stderr.strip().splitlines() or ["ffprobe failed"])[-1])
    answer = json.loads(result.stdout)
    streams = answer["streams"]
    # The cover of a record is a video of one frame.
    pictures = (
        stream
        for stream in streams
        if stream["codec_type"] == "video" and not stream["disposition"]["attached_pic"]
    )
    sounds = (stream for stream in streams if stream["codec_type"] == "audio")
    seconds = float(answer["format"].get("duration", 0))
    return seconds, next(pictures, None), next(sounds, None)


def envelope(command: Sequence[str]) -> numpy.ndarray:
    """The lowest and highest of every 20 ms, -1 to 1, of the `LEVELS` that a command writes."""
    block = STEP * CHANNELS
    found = [numpy.zeros((0, 2))]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        assert process.stdout
        while data := process.stdout.read(block * 2 * 500):
            samples = numpy.frombuffer(data[: len(data) // 2 * 2], "<i2")
            whole = samples[: len(samples) // block * block].reshape(-1, block)
            found.append(numpy.stack([whole.min(axis=1), whole.max(axis=1)], axis=1) / 32768)
            if len(rest := samples[whole.size :]):
                found.append(numpy.array([[rest.min(), rest.max()]]) / 32768)
    return numpy.concatenate(found)


def fewer(levels: numpy.ndarray, most: int) -> numpy.ndarray:
    """An envelope of at most so many pairs."""
    if len(levels) <= most:
        return levels
    edges = numpy.linspace(0, len(levels), most + 1).astype(int)[:-1]
    lows = numpy.minimum.reduceat(levels[:, 0], edges)
    return numpy.stack([lows, numpy.maximum.reduceat(levels[:, 1], edges)], axis=1)


def peaks(levels: numpy.ndarray, into: Path) -> dict:
    """Writes the peaks of a sound; what is told of them."""
    pairs = [
        [round(float(low), 3), round(float(high), 3)] for low, high in fewer(levels, MOST_PEAKS)
    ]
    told = {"peaks": pairs, "seconds": round(len(levels) * STEP / RATE, 2)}
    (into / "peaks.json").write_text(json.dumps(told, separators=(",", ":")))
    return {"previews": [{"role": "peaks", "file": "peaks.json"}]}
