"""The film's sound: the music played by fluidsynth, effects, and mastering to a set loudness."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import soundfile
from make_music import Composer
from make_styles import STYLES
from scipy import signal

RATE = 48000
SOUNDFONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
LOUDNESS = -15.0
"""LUFS, integrated."""


def _effects(length, style, numbers, count, reveal):
    """Ticks of the counts, a riser into the reveal and its boom, as (samples, 2)."""
    dice = np.random.default_rng(5)
    out = np.zeros((length, 2))

    def add(sound, moment, level, pan=0.0):
        first = int(moment * RATE)
        sound = sound[: max(0, length - first)] * level
        out[first : first + len(sound), 0] += sound * (1 - max(0, pan))
        out[first : first + len(sound), 1] += sound * (1 + min(0, pan))

    for k in range(numbers):
        t = np.arange(int(0.16 * RATE)) / RATE
        final = k >= numbers - 3
        if style.tick == "pop":
            pitch = 330 * 2 ** (k * 0.5 / 12) * (1 + 1.3 * np.exp(-t * 45))
            sound = np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * np.exp(-t * 34)
        elif style.tick == "beep":
            sound = (
                np.sin(2 * np.pi * (1320 if final else 880) * t)
                * np.minimum(1, 400 * t)
                * np.exp(-t * 16)
            )
        else:
            sound = (
                (np.sin(2 * np.pi * 1760 * t) + 0.4 * np.sin(2 * np.pi * 3520 * t))
                * np.exp(-t * 40)
                * 0.6
            )
        add(sound, reveal - (numbers - k) * count, 0.16 if final else 0.12)
    rise = min(1.0, reveal * 0.6)
    if style.tick != "soft" and rise > 0.3:
        t = np.arange(int(rise * RATE)) / RATE
        noise = dice.standard_normal(len(t))
        bright = signal.sosfilt(signal.butter(2, (800, 9000), "band", fs=RATE, output="sos"), noise)
        add(bright * (t / rise) ** 2.6 * np.minimum(1, (rise - t) * 80), reveal - rise, 0.10)
        t = np.arange(int(1.2 * RATE)) / RATE
        sub = np.sin(2 * np.pi * np.cumsum(46 + 80 * np.exp(-t * 20)) / RATE) * np.exp(-t * 4.5)
        add(sub, reveal, 0.34)
    for k in range(40):
        t = np.arange(int(0.12 * RATE)) / RATE
        sparkle = np.sin(2 * np.pi * dice.choice([2093, 2637, 3136, 4186]) * t) * np.exp(-t * 55)
        add(sparkle, reveal + dice.uniform(0, 1.3), 0.022 * (1 - k / 44), dice.uniform(-0.7, 0.7))
    return out


def _measure(path):
    """(integrated LUFS, true peak dBFS)."""
    report = subprocess.run(
        [
            "ffmpeg",
            "-hide_banner",
            "-nostats",
            "-i",
            path,
            "-af",
            "ebur128=framelog=quiet:peak=true",
            "-f",
            "null",
            "-",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    summary = report[report.rindex("Integrated loudness") :]
    return float(re.search(r"I:\s+(-?[\d.]+|-inf)", summary)[1]), float(
        re.search(r"Peak:\s+(-?[\d.]+|-inf)", summary)[1]
    )


def make(path, theme, story, seed):
    """Composes, plays and masters the music into a stereo WAV as long as the story.

    Returns its integrated loudness (LUFS) and true peak (dBFS).
    """
    duration, style = story.duration, STYLES[theme]
    Composer(style, story, seed).compose().save("music.mid")
    subprocess.run(
        [
            "fluidsynth",
            "-ni",
            "-g",
            "0.6",
            "-r",
            str(RATE),
            "-o",
            "synth.reverb.room-size=0.6",
            "-o",
            "synth.reverb.level=0.5",
            "-F",
            "played.wav",
            SOUNDFONT,
            "music.mid",
        ],
        check=True,
        capture_output=True,
    )
    played, _ = soundfile.read("played.wav", always_2d=True)
    length = round(duration * RATE)
    mix = np.zeros((length, 2))
    mix[: min(length, len(played))] = played[:length]
    mix /= np.abs(mix).max()
    mix += _effects(length, style, len(story.numbers), story.count, story.reveal)
    # A slow leveller: quiet beginnings and loud endings come closer to each other.
    power = signal.sosfiltfilt(signal.butter(1, 0.5, fs=RATE, output="sos"), (mix**2).mean(1))
    level = np.sqrt(np.maximum(power, 1e-6))
    mix *= ((np.median(level) / level) ** 0.4)[:, None].clip(0.4, 2.2)
    fade = round(min(1.6, duration * 0.14) * RATE)
    mix[-fade:] *= np.cos(np.linspace(0, np.pi / 2, fade))[:, None] ** 1.4
    mix[: round(0.01 * RATE)] *= np.linspace(0, 1, round(0.01 * RATE))[:, None]
    mix *= 0.5 / np.abs(mix).max()
    soundfile.write("mix.wav", mix, RATE, subtype="FLOAT")
    gain = 0.0
    for _ in range(3):  # the limiter takes back a little of each gain
        loudness = _measure("mix.wav")[0] if not gain else _measure(path)[0]
        if gain and abs(loudness - LOUDNESS) < 0.4:
            break
        gain += LOUDNESS - loudness
        subprocess.run(
            [
                "ffmpeg",
                "-y",
                "-v",
                "error",
                "-i",
                "mix.wav",
                "-af",
                f"volume={gain:.2f}dB,alimiter=limit=0.78:level=false:attack=4:release=80",
                "-ar",
                str(RATE),
                "-c:a",
                "pcm_s16le",
                path,
            ],
            check=True,
        )
    return _measure(path)
