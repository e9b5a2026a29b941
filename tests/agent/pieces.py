"""A picture and a sound of a few bytes."""

import struct
import zlib


def png(shade: int) -> bytes:
    """A picture of one grey pixel."""
    pixel = zlib.compress(bytes([0, shade]))
    shape = struct.pack("!IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    parts = [_part(b"IHDR", shape), _part(b"IDAT", pixel), _part(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _part(name: bytes, data: bytes) -> bytes:
    check = struct.pack("!I", zlib.crc32(name + data))
    return struct.pack("!I", len(data)) + name + data + check


def wav(sound: bytes, told: int = 0) -> bytes:
    """A WAV as somebody writes it: of its sound its head tells `told` bytes so far."""
    shape = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    lengths = struct.pack("<I", told and 36 + told), struct.pack("<I", told)
    head = b"RIFF" + lengths[0] + b"WAVEfmt " + struct.pack("<I", 16) + shape
    return head + b"data" + lengths[1] + sound
