"""ffprobe and ffmpeg's measuring filters, for sound and video."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from checks.report import Report, Unreadable, run

SECONDS = 40
# Nothing in a file may make ffmpeg read another one, or ask the network.
# A list of files is not a film.
FORMATS = "aac,aiff,avi,flac,flv,gif,matroska,mov,mp3,mpeg,mpegts,ogg,wav"
LOCAL = ("-protocol_whitelist", "file", "-format_whitelist", FORMATS)
SOUND = (
    "ebur128=peak=true:framelog=verbose,silencedetect=noise=-60dB:d=1,"
    "astats=measure_perchannel=none"
)
PICTURE = "scale=320:-2,blackdetect=d=0.5:pix_th=0.08,freezedetect=n=0.0005:d=4.5"
# How ffprobe calls the containers that file names promise.
CONTAINERS = {
    ".mp4": "mp4", ".m4v": "mp4", ".m4a": "mp4", ".mov": "mov", ".webm": "webm",
    ".mkv": "matroska", ".avi": "avi", ".wav": "wav", ".mp3": "mp3", ".flac": "flac",
    ".ogg": "ogg", ".oga": "ogg", ".opus": "ogg", ".aac": "aac",
}  # fmt: skip
CUT = ("moov atom not found", "partial file", "truncat", "end of file", "invalid nal unit size")
QUIET, FULL_SCALE, HEAVY = -35, -0.01, 0.002
SILENCE = {"start": 2.0, "inside": 1.0, "end": 5.0}
MISSING_SECONDS, MISSING_SHARE = 0.5, 0.03


@dataclass(frozen=True)
class Measured:
    """What ffmpeg logged, and how much it could decode: frames, and seconds of all streams."""

    log: str
    seconds: float
    frames: float


def probe(path: Path, report: Report | None = None) -> tuple[dict, list[dict]]:
    """The container's format and its streams, as ffprobe names their properties."""
    wanted = ("-show_format", "-show_streams", "-of", "json")
    result = run("ffprobe", "-v", "error", *LOCAL, *wanted, str(path), seconds=SECONDS)
    if result.returncode:
        raise failure((result.stderr.strip().splitlines() or ["ffprobe failed"])[-1])
    answer = json.loads(result.stdout)
    names, suffix = answer["format"]["format_name"], path.suffix.lower()
    if report and CONTAINERS.get(suffix, names) not in names:
        report.warn(
            "wrong_name",
            f"it is {names} called {suffix}",
            format=names.split(",")[0],
            suffix=suffix,
        )
    return answer["format"], answer["streams"]


def measure(path: Path, *, picture: bool = False, sound: bool = False) -> Measured:
    """What the filters say of the first streams; a file that does not decode is Unreadable."""
    streams = ("-map", "0:v:0", "-vf", PICTURE, "-fps_mode", "passthrough") * picture + (
        "-map",
        "0:a:0",
        "-af",
        SOUND,
    ) * sound
    result = run(
        *("ffmpeg", "-hide_banner", "-nostats", "-progress", "pipe:1", "-xerror", *LOCAL),
        *("-i", str(path), *streams, "-f", "null", "-"),
        seconds=SECONDS,
    )
    if result.returncode:
        lines = result.stderr.strip().splitlines()
        wrong = [line for line in lines if re.search("error|invalid|corrupt", line, re.IGNORECASE)]
        why = re.sub(r"\[\S+ @ 0x\w+\] ", "", (wrong or lines or ["no reason given"])[0])
        raise failure(f"it does not decode: {why}")
    reached, frames = (last(rf"{name}=(\d+)", result.stdout) for name in ("out_time_us", "frame"))
    return Measured(result.stderr, (reached or 0) / 1e6, frames or 0)


def failure(reason: str) -> Unreadable:
    cut = any(word in reason.lower() for word in CUT)
    return Unreadable(reason, "truncated" if cut else "unreadable")


def last(pattern: str, text: str) -> float | None:
    found = re.findall(pattern, text)
    return float(found[-1]) if found and found[-1] != "nan" else None


def stretch(start: float, end: float) -> dict[str, float]:
    """Where something is, as the values of a finding: seconds."""
    return {"from": round(max(start, 0), 1), "to": round(end, 1)}


def whole(there: float, seconds: float) -> None:
    """Raises Unreadable when fewer seconds can be decoded than the file says it has."""
    if seconds - there > max(MISSING_SECONDS, MISSING_SHARE * seconds):
        raise Unreadable(f"it is cut off: {there:.1f} of {seconds:.1f} s are there", "truncated")


def loudness(measured: Measured, report: Report, seconds: float) -> None:
    """Integrated loudness, range, true peak, silence and clipping of the first sound stream."""
    log = measured.log
    loud = last(r"I:\s+(-?[\d.]+|-inf) LUFS", log)
    peak = last(r"Peak:\s+(-?[\d.]+|-inf) dBFS", log)
    spread = last(r"LRA:\s+([\d.]+) LU", log)
    level = last(r"Peak level dB: (-?[\d.]+|-inf)", log)
    if level is None or level == float("-inf"):
        report.fail("silent", "nothing but silence")
        return
    report.facts |= {
        "loudness": f"{loud} LUFS",
        "range": f"{spread} LU",
        "true peak": f"{peak} dBTP",
    }
    clipping(log, report, level, peak)
    if loud is not None and loud < QUIET:
        report.warn(
            "quiet",
            f"very quiet ({loud} LUFS; music is usually between -23 and -14)",
            loudness=loud,
        )
    silence(log, report, seconds)


def clipping(log: str, report: Report, level: float, peak: float | None) -> None:
    flat = last(r"Flat factor: ([\d.]+|inf)", log)
    samples = last(r"Number of samples: (\d+)", log) or 1
    share = (last(r"Peak count: ([\d.]+)", log) or 0) / samples
    if level > FULL_SCALE and flat:
        say = report.fail if share > HEAVY else report.warn
        percent = round(100 * share, 2)
        say(
            "clipped",
            f"clipped: samples in a row stand at full scale, {percent} % of all",
            percent=percent,
        )
    elif peak is not None and peak > 0.5:
        report.warn(
            "over_peak", f"true peak {peak} dBTP is above 0: it distorts; leave 1 dB", peak=peak
        )


def silence(log: str, report: Report, seconds: float) -> None:
    starts = [float(value) for value in re.findall(r"silence_start: (-?[\d.]+)", log)]
    ends = [float(value) for value in re.findall(r"silence_end: ([\d.]+)", log)]
    for start, end in zip(starts, [*ends, seconds], strict=False):
        where = "at the start" if start < 0.1 else "at the end" if end > seconds - 0.1 else "inside"
        if end - start > SILENCE[where.split()[-1]]:
            report.warn(
                "silence",
                f"silence {where}: {max(start, 0):.1f}–{end:.1f} s",
                where=where.split()[-1],
                **stretch(start, end),
            )
