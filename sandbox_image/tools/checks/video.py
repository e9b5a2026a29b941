"""Videos: codec and pixels that every player takes, black or frozen parts, and the sound."""

from __future__ import annotations

import re
import struct
from fractions import Fraction
from pathlib import Path

from checks.probe import Measured, loudness, measure, probe, stretch, whole
from checks.report import Report, Unreadable

BOXES = (".mp4", ".m4v", ".mov", ".m4a")
FIRST_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
PLAYED = ("yuv420p", "yuvj420p")
# Shorter than this a caption may well stand still.
STILL_SECONDS, BLACK_SECONDS, APART_SECONDS = 5.0, 1.0, 1.0


def check(path: Path, report: Report) -> None:
    early = index_first(path) if path.suffix.lower() in BOXES else None
    container, streams = probe(path, report)
    pictures = [stream for stream in streams if stream["codec_type"] == "video"]
    if not pictures:
        raise Unreadable("no picture in it", "no_picture")
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
    if picture["codec_name"] in ("h264", "hevc") and picture.get("pix_fmt") not in PLAYED:
        report.warn(
            "pixel_format",
            f"pix_fmt {picture.get('pix_fmt')} does not play in browsers and phones: use yuv420p",
            format=picture.get("pix_fmt", "?"),
        )
    if early is not None:
        report.facts["faststart"] = "yes" if early else "no"
        if not early:
            report.warn(
                "late_index", "the index is at the end, so it starts late: -movflags +faststart"
            )
    measured = measure(path, picture=True, sound=bool(sounds))
    if rate:
        whole(measured.frames / rate, float(picture.get("duration", seconds)))
    dark_and_still(measured, report, seconds)
    if sounds:
        loudness(measured, report, seconds)
        length = float(sounds[0].get("duration", seconds))
        if abs(length - seconds) > APART_SECONDS:
            report.warn(
                "sound_length",
                f"the sound lasts {length:.1f} s, the video {seconds:.1f} s",
                sound=round(length, 1),
                video=round(seconds, 1),
            )


def index_first(path: Path) -> bool:
    """Whether the index of an MP4 file comes before its data; raises Unreadable if it is cut."""
    found: list[bytes] = []
    end = path.stat().st_size
    with path.open("rb") as file:
        at = 0
        while len(header := file.read(16)) >= 8:
            size, kind = struct.unpack(">I4s", header[:8])
            if size == 1 and len(header) == 16:
                size = struct.unpack(">Q", header[8:])[0]
            size = end - at if size == 0 else size
            if size < 8 or (not found and kind not in FIRST_BOXES):
                break
            found.append(kind)
            at += size
            if at > end:
                raise Unreadable(
                    f"it is cut off: {at - end:,} of its bytes are missing", "truncated"
                )
            file.seek(at)
    if b"moov" not in found:
        if found:
            raise Unreadable("it has no index: it was not written to its end", "truncated")
        return True
    return b"mdat" not in found[: found.index(b"moov")]


def dark_and_still(measured: Measured, report: Report, seconds: float) -> None:
    black = re.findall(r"black_start:([\d.]+) black_end:([\d.]+)", measured.log)
    for start, end in ((float(start), float(end)) for start, end in black):
        if end - start > 0.95 * seconds:
            report.fail("black", "nothing but black")
            return
        if end - start >= BLACK_SECONDS:
            report.warn("black_part", f"black {start:.1f}–{end:.1f} s", **stretch(start, end))
    starts = re.findall(r"freeze_start: ([\d.]+)", measured.log)
    ends = re.findall(r"freeze_end: ([\d.]+)", measured.log)
    for start, end in zip(map(float, starts), [*map(float, ends), seconds], strict=False):
        if end - start >= STILL_SECONDS:
            report.warn(
                "frozen",
                f"the picture stands still {start:.1f}–{end:.1f} s",
                **stretch(start, end),
            )
