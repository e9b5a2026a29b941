"""The workspace as one stream: out after a run, in before the next.

`tarfile` is imported when it is needed: most of the time a sandbox waits, and without it in half of
the memory.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sandbox_image.guest import processes
from sandbox_image.guest.files import ROOT, Refused, explained
from sandbox_image.guest.protocol import CHUNK

if TYPE_CHECKING:
    import tarfile

LEFT_OUT = {"input", ".cache", ".config/sandbox", ".logs", ".npm", ".seen", ".local/share/Trash"}
NEVER = {"__pycache__"}


class _Sink:
    def __init__(self, send: Callable[[bytes], None], limit: int) -> None:
        self._send = send
        self._limit = self._room = limit

    def write(self, data: bytes) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise Refused(f"the workspace has more than the limit of {self._limit} bytes")
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


def _names() -> Iterator[str]:
    """Everything of the workspace worth keeping, folders before what is in them."""
    for folder, folders, names in os.walk(ROOT):
        inside = os.path.relpath(folder, ROOT)
        prefix = "" if inside == "." else f"{inside}/"
        folders[:] = [
            name for name in folders if f"{prefix}{name}" not in LEFT_OUT and name not in NEVER
        ]
        yield from (f"{prefix}{name}" for name in (*folders, *names))


def _add(archive: tarfile.TarFile, name: str) -> None:
    """Add one file, folder or link; what can't be read is left out."""
    import tarfile

    path = f"{ROOT}/{name}"
    with contextlib.suppress(OSError):
        member = archive.gettarinfo(path, name)
        # A second name of a file already added: in another workspace it is a file of its own.
        if member.islnk():
            member.type, member.size = tarfile.REGTYPE, os.lstat(path).st_size
        if member.isdir() or member.issym():
            archive.addfile(member)
        elif member.isreg():
            with open(path, "rb", opener=_without_links) as file:
                archive.addfile(member, file)


def _without_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW)


def _safe(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    import tarfile

    try:
        return tarfile.data_filter(member, folder)
    except tarfile.FilterError:
        return None


def save(send: Callable[[bytes], None], limit: int) -> None:
    """Send the workspace as a gzipped tar of at most `limit` bytes; nothing changes meanwhile."""
    import tarfile

    sink: Any = _Sink(send, limit)
    with (
        processes.frozen(),
        explained(ROOT),
        tarfile.open(fileobj=sink, mode="w|gz", compresslevel=1, bufsize=CHUNK) as archive,
    ):
        for name in _names():
            _add(archive, name)


def restore(chunks: Iterable[bytes]) -> None:
    """Unpack such an archive into the workspace, leaving out what would lead out of it."""
    import tarfile

    source: Any = _Source(chunks)
    try:
        with explained(ROOT), tarfile.open(fileobj=source, mode="r|gz") as archive:
            archive.extractall(ROOT, filter=_safe)
    except tarfile.TarError as error:
        raise Refused(f"the saved workspace cannot be unpacked: {error}") from error
