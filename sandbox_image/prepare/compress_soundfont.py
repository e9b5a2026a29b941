"""Compresses the samples of a SoundFont 2 file with Ogg Vorbis (the "SF3" form).

    python3 compress_soundfont.py IN.sf2 OUT.sf2

FluidSynth reads both forms whatever the file is called; General MIDI shrinks to a fifth.
"""

from __future__ import annotations

import io
import struct
import sys
from pathlib import Path

import numpy as np
import soundfile

SAMPLE = struct.Struct("<20s5I2B2H")  # name, start, end, loop start, loop end, rate, …, kind
COMPRESSED = 0x10
ROM = 0x8000


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a RIFF list as (name, bytes)."""
    found, at = [], 0
    while at + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, at)
        found.append((name, data[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return found


def joined(parts: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(
        struct.pack("<4sI", name, len(data)) + data + b"\0" * (len(data) % 2)
        for name, data in parts
    )


def compressed(samples: np.ndarray, rate: int) -> bytes:
    out = io.BytesIO()
    # libsndfile counts the other way round: 0 is the best quality, 1 the smallest file.
    soundfile.write(out, samples, rate, format="OGG", subtype="VORBIS", compression_level=0.5)
    return out.getvalue()


def compress(source: bytes) -> bytes:
    if source[:4] + source[8:12] != b"RIFFsfbk":
        raise SystemExit("not a SoundFont")
    lists = {data[:4]: chunks(data[4:]) for name, data in chunks(source[12:]) if name == b"LIST"}
    samples = np.frombuffer(dict(lists[b"sdta"])[b"smpl"], dtype="<i2")
    headers = dict(lists[b"pdta"])[b"shdr"]

    pool, records = bytearray(), []
    for name, start, end, loop, loop_end, rate, pitch, fix, link, kind_ in SAMPLE.iter_unpack(
        headers
    ):
        if rate and end > start and not kind_ & ROM:
            stream = compressed(samples[start:end], rate)
            at = len(pool)
            pool += stream
            # Offsets count bytes now, and loop points count from the sample's own start.
            record = (at, len(pool), loop - start, loop_end - start)
            records.append(SAMPLE.pack(name, *record, rate, pitch, fix, link, kind_ | COMPRESSED))
        else:
            records.append(SAMPLE.pack(name, 0, 0, 0, 0, rate, pitch, fix, link, kind_))

    info = [
        (name, struct.pack("<HH", 3, 1) if name == b"ifil" else data)
        for name, data in lists[b"INFO"]
    ]
    tables = [
        (name, b"".join(records) if name == b"shdr" else data) for name, data in lists[b"pdta"]
    ]
    parts = [
        (b"LIST", b"INFO" + joined(info)),
        (b"LIST", b"sdta" + joined([(b"smpl", bytes(pool))])),
        (b"LIST", b"pdta" + joined(tables)),
    ]
    return joined([(b"RIFF", b"sfbk" + joined(parts))])


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    target.write_bytes(compress(source.read_bytes()))


if __name__ == "__main__":
    main()
