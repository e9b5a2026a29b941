"""ffprobe and ffmpeg's measuring filters, for sound and video."""

from __future__ import annotations

import json
import re
from pathlib import Path

from checks.report import Report, Unreadable, run


def probe(path: Path) -> tuple[dict, list[dict]]:
    """The container's format and its streams, as ffprobe names their properties."""
    result = run(
        "ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", str(path)
    )
    if result.returncode:
        raise Unreadable((result.stderr.strip().splitlines() or ["ffprobe failed"])[-1])
    answer = json.loads(result.stdout)
    return answer["format"], answer["streams"]


def measure(path: Path, *options: str) -> str:
    """What ffmpeg's filters log about a file; a file that does not decode is Unreadable."""
    result = run(
        "ffmpeg",
        "-hide_banner",
        "-nostats",
        "-xerror",
        "-i",
        str(path),
        *options,
        "-f",
        "null",
        "-",
    )
    if result.returncode:
        raise Unreadable(f"it does not decode: {result.stderr.strip().splitlines()[-1]}")
    return result.stderr


def last(pattern: str, text: str) -> float | None:
    found = re.findall(pattern, text)
    return float(found[-1]) if found and found[-1] != "nan" else None


def stretch(start: float, end: float) -> dict[str, float]:
    """Where something is, as the values of a finding: seconds."""
    return {"from": round(max(start, 0), 1), "to": round(end, 1)}


def loudness(path: Path, report: Report, seconds: float) -> None:
    """Integrated loudness, range, true peak, silence and clipping of the first sound stream."""
    log = measure(
        path,
        "-map",
        "0:a:0",
        "-vn",
        "-af",
        "ebur128=peak=true:framelog=verbose,silencedetect=noise=-60dB:d=1,astats=measure_perchannel=none",
    )
    loud = last(r"I:\s+(-?[\d.]+|-inf) LUFS", log)
    peak = last(r"Peak:\s+(-?[\d.]+|-inf) dBFS", log)
    spread = last(r"LRA:\s+([\d.]+) LU", log)
    level = last(r"Peak level dB: (-?[\d.]+|-inf)", log)
    flat = last(r"Flat factor: ([\d.]+|inf)", log)
    if level is None or level == float("-inf"):
        report.fail("silent", "nothing but silence")
        return
    report.facts |= {
        "loudness": f"{loud} LUFS",
        "range": f"{spread} LU",
        "true peak": f"{peak} dBTP",
    }
    if peak is not None and peak > 0:
        report.warn(
            "over_peak", f"true peak {peak} dBTP is above 0: it distorts; leave 1 dB", peak=peak
        )
    if level > -0.01 and flat:
        report.warn("clipped", "clipped: samples in a row stand at full scale")
    if loud is not None and loud < -35:
        report.warn(
            "quiet",
            f"very quiet ({loud} LUFS; music is usually between -23 and -14)",
            loudness=loud,
        )
    starts = [float(value) for value in re.findall(r"silence_start: (-?[\d.]+)", log)]
    ends = [float(value) for value in re.findall(r"silence_end: ([\d.]+)", log)]
    for start, end in zip(starts, [*ends, seconds], strict=False):
        where = "at the start" if start < 0.1 else "at the end" if end > seconds - 0.1 else "inside"
        if end - start > (1 if where == "inside" else 2):
            report.warn(
                "silence",
                f"silence {where}: {max(start, 0):.1f}–{end:.1f} s",
                where=where.split()[-1],
                **stretch(start, end),
            )
