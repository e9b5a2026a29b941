"""Videos: a frame that shows something, a strip of frames, the peaks of the sound."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from PIL import Image, ImageStat
from sight import MOST_PIXELS

from previews import Subject, Unreadable, sound
from previews.poster import SIDE, jpeg, poster
from previews.streams import LEVELS, envelope, peaks, probe, source

FRAMES, FRAME_WIDTH = 24, 160
STRIP_BYTES, STRIP_QUALITIES = 900_000, (78, 60, 40)
# Videos with more pixels than these are shown by those frames that stand for themselves.
DECODED = 6_000_000_000
DARK, FLAT = 18, 8


def show(subject: Subject) -> Iterator[dict]:
    seconds, pictures, sounds = probe(subject)
    if pictures is None:
        yield {"kind": "audio", "media_type": subject.media_type.replace("video/", "audio/")}
        yield from sound.show(subject)
        return
    width, height = shown_size(pictures)
    if width * height > MOST_PIXELS:
        raise Unreadable(f"{width}x{height} px are too many to draw here")
    yield {"width": width, "height": height} | ({"seconds": seconds} if seconds else {})
    rate = float(Fraction(pictures["avg_frame_rate"].replace("/0", "/1"))) or 25.0
    count = max(1, min(FRAMES, round(seconds * rate)))
    whole = seconds * rate * width * height <= DECODED
    with tempfile.TemporaryDirectory() as folder:
        levels = envelope(
            [
                *("ffmpeg", "-v", "error", *(() if whole else ("-skip_frame", "nokey"))),
                *(*source(subject), "-map", f"0:{pictures['index']}", "-frames:v", str(count)),
                *("-vf", f"fps={count}/{seconds or 1},scale={box()}", "-q:v", "3"),
                f"{folder}/%02d.jpg",
                *(("-map", f"0:{sounds['index']}", *LEVELS) if sounds else ()),
            ]
        )
        frames = [Image.open(file).convert("RGB") for file in sorted(Path(folder).iterdir())]
    if not frames:
        raise Unreadable("not one picture of it can be decoded")
    yield poster(best(frames), subject.into)
    yield strip(frames, subject.into)
    if len(levels):
        yield peaks(levels, subject.into)


def shown_size(stream: dict) -> tuple[int, int]:
    """Width and height as it is shown: phones note which way up they were."""
    turns = [round(float(data.get("rotation", 0))) for data in stream.get("side_data_list", [])]
    size = (stream["width"], stream["height"])
    return size[::-1] if any(turn % 180 for turn in turns) else size


def box() -> str:
    return f"'min({SIDE},iw)':'min({SIDE},ih)':force_original_aspect_ratio=decrease:out_range=pc"


def best(frames: list[Image.Image]) -> Image.Image:
    """The frame nearest to a quarter of the way that is neither dark nor of one colour."""
    quarter = len(frames) // 4
    for number in sorted(range(len(frames)), key=lambda number: abs(number - quarter)):
        light = ImageStat.Stat(frames[number].convert("L"))
        if light.mean[0] > DARK and light.stddev[0] > FLAT:
            return frames[number]
    return max(frames, key=lambda frame: ImageStat.Stat(frame.convert("L")).stddev[0])


def strip(frames: list[Image.Image], into: Path) -> dict:
    """Writes the frames side by side; what is told of them."""
    height = max(1, round(FRAME_WIDTH * frames[0].height / frames[0].width))
    sheet = Image.new("RGB", (FRAME_WIDTH * len(frames), height))
    for number, frame in enumerate(frames):
        small = frame.resize((FRAME_WIDTH, height), Image.Resampling.LANCZOS)
        sheet.paste(small, (number * FRAME_WIDTH, 0))
    for quality in STRIP_QUALITIES:
        data = jpeg(sheet, quality)
        if len(data) <= STRIP_BYTES:
            break
    (into / "strip.jpg").write_bytes(data)
    told = {"role": "strip", "file": "strip.jpg", "width": sheet.width, "height": height}
    return {"previews": [told | {"frames": len(frames)}]}
