"""The workspace as one stream: out after a run, in before the next."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sandbox_image.guest.files import ROOT, Refused, explained
from sandbox_image.guest.protocol import CHUNK

LEFT_OUT = {"input", ".cache", ".npm", ".local/share/Trash"}
NEVER = {"__pycache__"}


class _Sink:
    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), CHUNK):
            self._send(bytes(data[start : start + CHUNK]))
        return len(data)


class _Source:
    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks: Iterator[bytes] = iter(chunks)
        self._rest = b""

    def read(self, size: int) -> bytes:
        while len(self._rest) < size and (chunk := next(self._chunks, b"")):
            self._rest += chunk
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    name = member.name.removeprefix("./")
    if name in LEFT_OUT or os.path.basename(name) in NEVER:
        return None
    return member if member.isreg() or member.isdir() or member.issym() else None


def _safe(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    try:
        return tarfile.data_filter(member, folder)
    except tarfile.FilterError:
        return None


def save(send: Callable[[bytes], None]) -> None:
    """Send the workspace as a gzipped tar."""
    sink: Any = _Sink(send)
    with (
        explained(ROOT),
        tarfile.open(fileobj=sink, mode="w|gz", compresslevel=1, bufsize=CHUNK) as archive,
    ):
        archive.add(ROOT, arcname=".", filter=_kept)


def restore(chunks: Iterable[bytes]) -> None:
    """Unpack such an archive into the workspace, leaving out what would lead out of it."""
    source: Any = _Source(chunks)
    try:
        with explained(ROOT), tarfile.open(fileobj=source, mode="r|gz") as archive:
            archive.extractall(ROOT, filter=_safe)
    except tarfile.TarError as error:
        raise Refused(f"the saved workspace cannot be unpacked: {error}") from error
