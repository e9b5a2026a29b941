"""Videos: one frame, or a sheet of frames with their times; sound where there is no video."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import monotonic

from checks.probe import probe
from checks.report import run
from PIL import Image

from sight import MOST_PIXELS, Sight, Text, Unreadable, Wish, tone
from sight.sheet import each, sheet
from sight.words import read, told

FRAMES = 6
SECONDS = 20
# Wide enough to read what is written in it.
WIDTH = 1280


def draw(path: Path, wish: Wish) -> Sight:
    container, streams = probe(path)
    pictures = [stream for stream in streams if stream["codec_type"] == "video"]
    # The cover of a record is a video of one frame.
    picture = next((s for s in pictures if not s["disposition"]["attached_pic"]), None)
    if picture is None:
        return tone.draw(path, wish)
    width, height = picture["width"], picture["height"]
    if width * height > MOST_PIXELS:
        raise Unreadable(f"{width}x{height} px are too many to draw here")
    seconds = float(container.get("duration", 0))
    if wish.at is not None and seconds and wish.at >= seconds:
        raise Unreadable(f"it ends at {seconds:.2f} s")
    facts = [f"video, {seconds:.2f} s, {width}x{height} px, {picture['codec_name']}"]
    times = [seconds * (number + 0.5) / FRAMES for number in range(FRAMES)]
    if wish.at is not None:
        times = [wish.at]
    side = wish.side() if wish.at is not None else WIDTH
    frames = [(time, image) for time in times if (image := frame(path, time, side))]
    if not frames:
        raise Unreadable("not one picture of it can be decoded")
    frames = [(time, wish.cut(image)) for time, image in frames]
    if len(frames) == 1:
        return Sight(frames[0][1], facts, [] if wish.brief else told(read(frames[0][1])))
    named = [(f"{time:.2f} s", image) for time, image in frames]
    words = [] if wish.brief else told(captions(frames))
    return Sight(sheet(named), facts + each(named, moving=True), words, plain=True)


def frame(path: Path, time: float, side: int) -> Image.Image | None:
    """The frame at a time, at most `side` pixels wide and high; None where there is none."""
    box = f"scale='min({side},iw)':'min({side},ih)':force_original_aspect_ratio=decrease"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.png")
        run(
            *("ffmpeg", "-v", "error", "-protocol_whitelist", "file", "-ss", f"{time:.3f}"),
            *("-i", str(path), "-frames:v", "1", "-vf", box, "-an", str(file)),
            seconds=SECONDS,
        )
        if not file.exists():
            return None
        with Image.open(file) as image:
            return image.convert("RGB")


def captions(frames: list[tuple[float, Image.Image]]) -> list[Text]:
    """The text in the frames, each line once, with the time it was first seen.

    On a busy machine there may not be time for all of them.
    """
    found: dict[str, Text] = {}
    end = monotonic() + SECONDS
    for time, image in frames:
        if monotonic() > end:
            break
        for text in read(image) or []:
            label = f"({time:.1f} s) {text.text}"
            found.setdefault(text.text.casefold(), Text(label, text.left, text.top, text.right))
    return list(found.values())
