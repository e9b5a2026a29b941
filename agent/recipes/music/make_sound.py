"""Plays a MIDI file with the soundfont, puts it into a room, and masters it."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import butter, fftconvolve, sosfilt

RATE = 48_000
SOUNDFONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
LOUDNESS, PEAK = -16.0, -1.5
"""Integrated loudness in LUFS, true peak in dBTP."""
ROOMS = {"march": (0.9, 0.10), "lively": (1.0, 0.12), "waltz": (1.4, 0.16), "birthday": (1.2, 0.14)}
HALL = (2.2, 0.24)


def render(midi, style, seconds, path, seed):
    """Write a 48 kHz stereo WAV of exactly `seconds` seconds; returns what it measures."""
    with tempfile.TemporaryDirectory() as folder:
        dry = Path(folder, "dry.wav")
        subprocess.run(
            [
                "fluidsynth", "-ni", "-q", "-R", "0", "-C", "0", "-g", "0.5", "-r", str(RATE),
                "-O", "float", "-F", str(dry), SOUNDFONT, str(midi),
            ],
            check=True,
            capture_output=True,
        )  # fmt: skip
        sound, _ = soundfile.read(dry, dtype="float64", always_2d=True)
    sound = room(sound, *ROOMS.get(style, HALL), seed)
    sound = trim(sound, round(seconds * RATE))
    return master(sound, path)


def room(sound, reverberation, wet, seed):
    """Add the sound of a room: decaying noise, darker as it dies, after a short gap."""
    rng = np.random.default_rng(seed)
    count = int(reverberation * RATE)
    time = np.arange(count) / RATE
    echo = rng.standard_normal((count, 2)) * np.exp(-6.9 * time / reverberation)[:, None]
    bright = sosfilt(butter(2, 7000, fs=RATE, output="sos"), echo, axis=0)
    dark = sosfilt(butter(2, 2200, fs=RATE, output="sos"), echo, axis=0)
    blend = np.minimum(1, time / (0.5 * reverberation))[:, None]
    echo = bright * (1 - blend) + dark * blend
    echo = sosfilt(butter(2, 140, "high", fs=RATE, output="sos"), echo, axis=0)
    gap = np.zeros((int(0.018 * RATE), 2))
    echo = np.concatenate([gap, echo]) / np.sqrt((echo**2).sum(axis=0))
    added = np.stack([fftconvolve(sound[:, c], echo[:, c]) for c in (0, 1)], axis=1)
    out = added * wet * 2.2
    out[: len(sound)] += sound
    return out


def trim(sound, count):
    """Exactly `count` samples, silent at both ends, fading out over the last seconds."""
    sound = np.concatenate([sound, np.zeros((max(0, count - len(sound)), 2))])[:count]
    lead, fade = int(0.005 * RATE), min(count // 4, int(1.6 * RATE))
    sound[:lead] *= np.linspace(0, 1, lead)[:, None]
    sound[-fade:] *= (0.5 + 0.5 * np.cos(np.linspace(0, np.pi, fade)))[:, None]
    return sound - sound.mean(axis=0) * np.hanning(count)[:, None]


def master(sound, path):
    """Bring to the loudness, limiting what would clip, and write 16 bits with dither."""
    gain = 0.0
    for _ in range(4):
        limited = limit(sound * 10 ** (gain / 20), 10 ** ((PEAK - 0.3) / 20))
        facts = measure(limited)
        if abs(facts["loudness"] - LOUDNESS) < 0.3:
            break
        gain += LOUDNESS - facts["loudness"]
    rng = np.random.default_rng(0)
    step = 1 / 32768
    dither = (rng.random(limited.shape) - rng.random(limited.shape)) * step
    dither[np.abs(limited).max(axis=1) < step] = 0
    soundfile.write(path, np.clip(limited + dither, -1, 1), RATE, subtype="PCM_16")
    return {"seconds": len(sound) / RATE, **facts}


def limit(sound, ceiling):
    """A limiter that looks 5 ms ahead and lets go over 120 ms."""
    peak = np.abs(sound).max(axis=1)
    need = np.minimum(1, ceiling / np.maximum(peak, 1e-9))
    if need.min() >= 1:
        return sound
    block = int(0.005 * RATE)
    padded = np.concatenate([need, np.ones(-len(need) % block)])
    lows = padded.reshape(-1, block).min(axis=1)
    lows = np.minimum(lows, np.minimum(np.append(lows[1:], 1), np.append(1, lows[:-1])))
    release = 1 - np.exp(-0.005 / 0.12)
    level, smooth = 1.0, np.empty_like(lows)
    for index, low in enumerate(lows):
        level = low if low < level else level + (low - level) * release
        smooth[index] = level
    centres = np.arange(len(lows)) * block + block / 2
    curve = np.interp(np.arange(len(sound)), centres, smooth)
    return sound * np.minimum(curve, need)[:, None]


def measure(sound):
    """Integrated loudness (LUFS) and true peak (dBTP), as ffmpeg measures them."""
    done = subprocess.run(
        [
            "ffmpeg", "-hide_banner", "-f", "f32le", "-ar", str(RATE), "-ac", "2", "-i", "-",
            "-af", "loudnorm=print_format=json", "-f", "null", "-",
        ],
        input=sound.astype("<f4").tobytes(),
        check=True,
        capture_output=True,
    )  # fmt: skip
    found = json.loads(re.findall(rb"\{[^{}]+\}", done.stderr)[-1])
    return {"loudness": float(found["input_i"]), "peak": float(found["input_tp"])}
