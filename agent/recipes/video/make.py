"""Makes the film of recipe.json: music, frames, an MP4 and a cover picture."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import make_sound
import numpy as np
from kit.script import run
from make_acts import Countdown, Words
from make_draw import WHITE, canvas, mix, smooth
from make_metre import Metre, metre
from make_palettes import palette
from make_stage import Stage
from make_styles import STYLES
from make_themes import THEMES
from PIL import Image

FPS = 30
OUTPUT = Path("output")
PREVIEW, PREVIEW_SECONDS = Path("preview.jpg"), 2.0


@dataclass(frozen=True)
class Story:
    """What happens when, in seconds, and what a theme needs to know of it."""

    numbers: tuple[int, ...]
    count: float
    metre: Metre
    duration: float
    candles: int
    season: str
    water: bool
    tint: bool

    @property
    def reveal(self):
        return self.metre.reveal

    @property
    def first(self):
        """When the counting starts."""
        return self.reveal - self.count * len(self.numbers)

    @property
    def hits(self):
        """Moments of celebration: the reveal, and the last chord if it comes later."""
        return sorted({self.metre.reveal, self.metre.last})

    @property
    def ends_with_cake(self):
        return self.candles > 0


def plan(recipe):
    countdown = recipe["kind"] == "countdown"
    numbers = tuple(range(recipe["from"], recipe["to"] - 1, -1)) if countdown else ()
    style = STYLES[recipe["theme"]]
    beats = metre(style, recipe["duration"], recipe["count"], recipe["reveal"])
    return Story(
        numbers,
        recipe["count"],
        beats,
        recipe["duration"],
        recipe["candles"],
        recipe["season"],
        recipe["water"],
        bool(recipe["colours"]),
    )


class Film:
    """Everything drawn once, and the frame at any moment."""

    def __init__(self, recipe):
        self.recipe = recipe
        self.story = plan(recipe)
        self.stage = Stage(
            recipe["width"],
            recipe["height"],
            self.story.reveal,
            recipe["duration"],
            palette(recipe["theme"], recipe["colours"]),
            random.Random(recipe["seed"]),
        )
        self.look = THEMES[recipe["theme"]](self.stage, self.story)
        tall = self.stage.height
        cake = self.story.ends_with_cake
        top, bottom = (0.2, 0.56 if self.stage.wide else 0.6) if cake else (0.2, 0.8)
        if recipe["theme"] in ("nature", "christmas", "space", "newyear"):
            top, bottom = 0.14, 0.62  # the lower third belongs to the landscape
        self.words = Words(
            self.stage,
            self.look,
            recipe["headline"],
            recipe["below"],
            recipe["lang"],
            tall * top,
            tall * bottom,
        )
        self.countdown = (
            Countdown(self.stage, self.look, self.story, recipe["caption"], recipe["lang"])
            if self.story.numbers
            else None
        )

    def frame(self, number):
        """The pixels of one frame, BGRA."""
        t = number / FPS
        stage, story = self.stage, self.story
        surface, c = canvas(stage.width, stage.height)
        for layer in self.look.behind:
            layer(c, t)
        since = t - story.reveal
        if self.countdown and since < 0:
            self.countdown.draw(c, t, stage, self.look, story)
        if since >= 0:
            self.words.draw(c, since, stage, self.look, story)
        for layer in self.look.before:
            layer(c, t)
        if self.countdown:
            flash = 0.75 * math.exp(-7 * since) if since >= 0 else 0
            if flash > 0.01:
                c.set_source_rgba(*mix(self.look.accent, WHITE, 0.8), flash)
                c.paint()
        else:
            dark = 1 - smooth(t / 0.5)
            if dark > 0:
                c.set_source_rgba(0, 0, 0, dark * 0.85)
                c.paint()
        return bytes(surface.get_data())


def _share(film):
    """In a forked worker: the film whose sprites the parent has drawn already."""
    global shared
    shared = film


def _frame(number):
    return shared.frame(number)


def render(film, sound, path):
    """Draws all frames on every core and encodes them with the sound."""
    recipe = film.recipe
    total = round(recipe["duration"] * FPS)
    encoder = subprocess.Popen(
        [
            "ffmpeg",
            "-y",
            "-v",
            "error",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "bgra",
            "-s",
            f"{recipe['width']}x{recipe['height']}",
            "-r",
            str(FPS),
            "-i",
            "-",
            "-i",
            sound,
            "-vf",
            "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
            "-c:v",
            "libx264",
            "-profile:v",
            "high",
            "-preset",
            "faster",
            "-crf",
            "20",
            "-maxrate",
            "12M",
            "-bufsize",
            "18M",
            "-g",
            "60",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-color_range",
            "tv",
            "-c:a",
            "aac",
            "-b:a",
            "192k",
            "-ac",
            "2",
            "-t",
            f"{total / FPS:.3f}",
            "-metadata",
            f"title={recipe['title']}",
            "-movflags",
            "+faststart",
            str(path),
        ],
        stdin=subprocess.PIPE,
    )
    processes = len(os.sched_getaffinity(0))
    due = time.monotonic()
    with multiprocessing.get_context("fork").Pool(processes, _share, (film,)) as pool:
        for number, pixels in enumerate(pool.imap(_frame, range(total), chunksize=2), 1):
            encoder.stdin.write(pixels)
            if number % 30 == 0 or number == total:
                print(f"frame {number}/{total}", flush=True)
            if time.monotonic() >= due:
                preview(film, pixels)
                due = time.monotonic() + PREVIEW_SECONDS
    PREVIEW.unlink()
    encoder.stdin.close()
    if encoder.wait():
        sys.exit("error: ffmpeg could not encode the film")


def preview(film, pixels):
    """Shows a frame to whoever watches: under its name it is always whole."""
    size = (film.stage.width, film.stage.height)
    image = Image.frombuffer("RGB", size, pixels, "raw", "BGRX")
    image.thumbnail((960, 960))
    part = PREVIEW.with_suffix(".part")
    image.save(part, "JPEG", quality=80)
    part.replace(PREVIEW)


def cover(film, path):
    """A still from when the final words have come to rest."""
    story = film.story
    rest = min(
        story.duration - 0.3, story.reveal + max(2.2, 0.55 * (story.duration - story.reveal))
    )
    recipe = film.recipe
    pixels = np.frombuffer(film.frame(round(rest * FPS)), np.uint8)
    pixels = pixels.reshape(recipe["height"], recipe["width"], 4)[..., 2::-1]
    Image.fromarray(np.ascontiguousarray(pixels)).save(path, quality=92)


def make(recipe):
    OUTPUT.mkdir(exist_ok=True)
    story = plan(recipe)
    loudness, peak = make_sound.make("music.wav", recipe["theme"], story, recipe["seed"])
    print(
        f"music: {60 / story.metre.beat:.0f} bpm, {loudness:.1f} LUFS, peak {peak:.1f} dBFS",
        flush=True,
    )
    film = Film(recipe)
    cover(film, OUTPUT / recipe["files"]["cover"])
    print("drawing the frames", flush=True)
    started = time.monotonic()
    render(film, "music.wav", OUTPUT / recipe["files"]["video"])
    print(f"drawn and encoded in {time.monotonic() - started:.0f} s")


run(make)
