"""What is still being made: the newest whole picture, and a sound as far as it has come.

Nothing is decoded here. A picture is whole when its last bytes are there; of a sound the beginning
will do, and a WAV's lengths, which its writer fills in last, are put right in what is told of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sandbox_image.guest import files
from sandbox_image.guest.protocol import CHUNK

ENDINGS = {
    "image": (".png", ".jpg", ".jpeg", ".webp"),
    "audio": (".wav", ".mp3", ".ogg", ".flac"),
}
UNSEEN = {"input", "node_modules", "__pycache__"}
RECENT, AT_REST = 30.0, 2.0
# The kernel's clock of files goes in steps: what was changed in the last ones may change unseen.
STEP = 0.02
ENTRIES, DEPTH, SECONDS, TRIED = 5000, 8, 0.02, 3
GROWTH = 1.25
WAV_HEAD, JPEG_PARTS = 4096, 256
PNG, PNG_END = b"\x89PNG\r\n\x1a\n", b"\0\0\0\0IEND\xaeB`\x82"

ReadAt = Callable[[int, int], bytes]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file as it was found; `path` is below the workspace."""

    changed: int
    path: str
    number: int
    size: int


class Glimpses:
    """Finds what is newest, and knows what it has told."""

    def __init__(self) -> None:
        self._told: dict[str, Candidate] = {}

    def newest(self, media: str, limit: int, unfinished: Callable[[str], bool]) -> Iterator[bytes]:
        """The newest file of that medium with at most `limit` bytes: first its path and size as
        JSON, then its bytes. Nothing if there is none that has not been told.

        Of the output folder only what is `unfinished` counts: the rest is told of as it settles.

        Raises:
            Changed: it was written to meanwhile.
        """
        found = [one for one in _recent(media, unfinished) if self._is_news(media, one)]
        if any(_age(one) < STEP for one in found):
            # Who asks when something was printed comes just after what was made before that.
            time.sleep(STEP)
        for one in sorted(found, key=lambda one: one.changed, reverse=True)[:TRIED]:
            with contextlib.ExitStack() as opened:
                try:
                    file = opened.enter_context(files.regular(one.path))
                except files.Refused:
                    continue
                entry = os.fstat(file.fileno())
                one = Candidate(entry.st_mtime_ns, one.path, entry.st_ino, entry.st_size)
                beginning = _beginning(media, file.fileno(), one.size)
                if beginning is None or one.size > limit or not self._is_news(media, one):
                    continue
                if _age(one) < STEP:
                    continue  # somebody writes to it without a pause
                self._told[media] = one
                yield json.dumps({"path": one.path, "size": one.size}).encode()
                yield from _content(file.fileno(), one, beginning, grows=media == "audio")
                return

    def _is_news(self, media: str, one: Candidate) -> bool:
        told = self._told.get(media)
        if told is None:
            return True
        if media == "image" or told.number != one.number:
            return one.changed > told.changed
        rests = _age(one) > AT_REST
        return one.size > told.size * (1 if rests else GROWTH)


def _age(one: Candidate) -> float:
    """Seconds since it was changed."""
    return time.time() - one.changed / 1e9


def _content(descriptor: int, one: Candidate, beginning: bytes, *, grows: bool) -> Iterator[bytes]:
    """The bytes that were there when it was looked at, `beginning` in the place of the first."""
    if beginning:
        yield beginning
    done = len(beginning)
    while done < one.size and (data := os.pread(descriptor, min(CHUNK, one.size - done), done)):
        done += len(data)
        yield data
    entry = os.fstat(descriptor)
    same = (entry.st_size, entry.st_mtime_ns) == (one.size, one.changed)
    if done < one.size or not (same or (grows and entry.st_size >= one.size)):
        raise files.Changed(f"{one.path} was written to while it was being read")


def _recent(media: str, unfinished: Callable[[str], bool]) -> Iterator[Candidate]:
    """Files of that medium that were written a moment ago, newest folders first; a bounded look."""
    # Time of its own: on a busy machine it would else find nothing, for want of its turn.
    began, now = time.thread_time(), time.time()
    looked, folders = 0, [""]
    while folders:
        folder = folders.pop()
        inner: list[tuple[int, str]] = []
        with (
            contextlib.suppress(OSError),
            files.folder([part for part in folder.split("/") if part]) as handle,
            os.scandir(handle) as entries,
        ):
            for entry in entries:
                looked += 1
                if looked > ENTRIES or time.thread_time() - began > SECONDS:
                    return
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.name.startswith(".") or entry.name in UNSEEN:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    changed = entry.stat(follow_symlinks=False).st_mtime_ns
                    inner.append((changed, path))
                elif entry.name.lower().endswith(ENDINGS[media]):
                    if path.startswith("output/") and not unfinished(path[len("output/") :]):
                        continue
                    stat = entry.stat(follow_symlinks=False)
                    if 0 <= now - stat.st_mtime <= RECENT:
                        yield Candidate(stat.st_mtime_ns, path, stat.st_ino, stat.st_size)
        if folder.count("/") < DEPTH:
            folders += (path for _, path in sorted(inner))


def _beginning(media: str, descriptor: int, size: int) -> bytes | None:
    """What a glimpse of this file begins with in the place of its own first bytes; None if it
    cannot be shown as it is.
    """

    def read(length: int, at: int) -> bytes:
        return os.pread(descriptor, length, at)

    if media == "image":
        return b"" if is_whole(read, size) else None
    return sound_head(read(WAV_HEAD, 0), size)


def is_whole(read: ReadAt, size: int) -> bool:
    """Whether these are all the bytes of a PNG, JPEG or WebP."""
    head, tail = read(12, 0), read(12, max(0, size - 12))
    if head.startswith(PNG):
        return tail == PNG_END
    if head.startswith(b"\xff\xd8"):
        return tail.endswith(b"\xff\xd9") and _reaches_its_scan(read)
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return int.from_bytes(head[4:8], "little") + 8 == size
    return False


def _reaches_its_scan(read: ReadAt) -> bool:
    """Whether a JPEG goes beyond the small picture that its head may hold, which has an end too."""
    at = 2
    for _ in range(JPEG_PARTS):
        part = read(4, at)
        if len(part) < 4 or part[0] != 0xFF:
            return False
        if part[1] == 0xDA:
            return True
        at += 2 + int.from_bytes(part[2:], "big")
    return False


def sound_head(head: bytes, size: int) -> bytes | None:
    """The first bytes of a sound of which `size` bytes are there; None if it is none."""
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return _wav_head(head, size)
    known = head.startswith((b"fLaC", b"OggS", b"ID3")) or (
        head[:1] == b"\xff" and head[1:2] >= b"\xe0"
    )
    return b"" if known else None


def _wav_head(head: bytes, size: int) -> bytes | None:
    """A WAV's head with the lengths that it has by now; None where no sound has come yet."""
    at = 12
    while (name := head[at : at + 4]) != b"data":
        if len(name) < 4:
            return None
        length = int.from_bytes(head[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    begin = at + 8
    if begin >= size:
        return None
    if int.from_bytes(head[4:8], "little") + 8 == size:
        return b""
    whole, sound = (size - 8).to_bytes(4, "little"), (size - begin).to_bytes(4, "little")
    return head[:4] + whole + head[8 : at + 4] + sound
