"""Videos: codec and pixels that every player takes, black or frozen parts, and the sound."""

from __future__ import annotations

import re
import struct
from fractions import Fraction
from pathlib import Path

from checks.probe import loudness, measure, probe, stretch
from checks.report import Report, Unreadable


def check(path: Path, report: Report) -> None:
    container, streams = probe(path)
    pictures = [stream for stream in streams if stream["codec_type"] == "video"]
    if not pictures:
        raise Unreadable("no picture in it")
    picture, seconds = pictures[0], float(container.get("duration", 0))
    sounds = [stream for stream in streams if stream["codec_type"] == "audio"]
    rate = float(Fraction(picture["avg_frame_rate"])) if picture["avg_frame_rate"] != "0/0" else 0
    report.kind = "video"
    report.width, report.height = picture["width"], picture["height"]
    report.seconds = round(seconds, 2)
    report.facts |= {
        "seconds": round(seconds, 2),
        "size": f"{picture['width']}x{picture['height']}",
        "fps": round(rate, 2),
        "codec": picture["codec_name"],
        "pix_fmt": picture.get("pix_fmt", "?"),
        "sound": sounds[0]["codec_name"] if sounds else "none",
    }
    if picture["codec_name"] in ("h264", "hevc") and picture.get("pix_fmt") not in (
        "yuv420p",
        "yuvj420p",
    ):
        report.warn(
            "pixel_format",
            f"pix_fmt {picture.get('pix_fmt')} does not play in browsers and phones: use yuv420p",
            format=picture.get("pix_fmt", "?"),
        )
    if path.suffix.lower() in (".mp4", ".m4v", ".mov"):
        early = moov_first(path)
        report.facts["faststart"] = "yes" if early else "no"
        if not early:
            report.warn(
                "late_index", "the index is at the end, so it starts late: -movflags +faststart"
            )
    dark_and_still(path, report, seconds)
    if sounds:
        loudness(path, report, seconds)
        length = float(sounds[0].get("duration", seconds))
        if abs(length - seconds) > 0.5:
            report.warn(
                "sound_length",
                f"the sound lasts {length:.1f} s, the video {seconds:.1f} s",
                sound=round(length, 1),
                video=round(seconds, 1),
            )


def moov_first(path: Path) -> bool:
    """Whether the index of an MP4 file comes before its data."""
    with path.open("rb") as file:
        at = 0
        while header := file.read(16):
            size, kind = struct.unpack(">I4s", header[:8])
            if kind in (b"moov", b"mdat"):
                return kind == b"moov"
            if size == 1:
                size = struct.unpack(">Q", header[8:])[0]
            if size < 8:
                break
            at += size
            file.seek(at)
    raise Unreadable("an MP4 file without data")


def dark_and_still(path: Path, report: Report, seconds: float) -> None:
    log = measure(
        path,
        "-map",
        "0:v:0",
        "-an",
        "-vf",
        "scale=320:-2,blackdetect=d=0.5:pix_th=0.08,freezedetect=n=0.0005:d=3",
    )
    for start, end in re.findall(r"black_start:([\d.]+) black_end:([\d.]+)", log):
        length = float(end) - float(start)
        if length > 0.95 * seconds:
            report.fail("black", "nothing but black")
        elif length >= 1:
            report.warn(
                "black_part",
                f"black {float(start):.1f}–{float(end):.1f} s",
                **stretch(float(start), float(end)),
            )
    starts = re.findall(r"freeze_start: ([\d.]+)", log)
    ends = re.findall(r"freeze_end: ([\d.]+)", log)
    for start, end in zip(starts, [*ends, seconds], strict=False):
        report.warn(
            "frozen",
            f"the picture stands still {float(start):.1f}–{float(end):.1f} s",
            **stretch(float(start), float(end)),
        )
