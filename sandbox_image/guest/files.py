"""Files of the workspace, opened folder by folder without following a single link."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from io import FileIO

from sandbox_image.guest.protocol import CHUNK

ROOT = "/workspace"
LISTED = 1000
DEPTH = 2
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Refused(Exception):
    """Something about the file that the asker must know; the message says it."""


class Changed(Refused):
    """A file was written to while it was being read, or is gone."""


def _parts(path: str) -> list[str]:
    """The names below the workspace that `path` goes through."""
    absolute = os.path.normpath(os.path.join(ROOT, path))
    if absolute != ROOT and not absolute.startswith(ROOT + "/"):
        raise Refused(f"{path} is outside {ROOT}")
    return [part for part in absolute[len(ROOT) :].split("/") if part]


@contextlib.contextmanager
def folder(parts: list[str], *, make: bool = False) -> Iterator[int]:
    """A descriptor of a folder below the workspace."""
    handle = os.open(ROOT, FOLDER)
    try:
        for part in parts:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
            inner = os.open(part, FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn what the kernel says into what a reader understands."""
    try:
        yield
    except FileNotFoundError as error:
        raise Changed(f"{path} does not exist") from error
    except IsADirectoryError as error:
        raise Refused(f"{path} is a folder") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(f"{path} is or leads through a symbolic link; use its target") from error
        if error.errno == errno.ENOTDIR:
            raise Refused(f"{path} leads through something that is not a real folder") from error
        if error.errno == errno.ENXIO:
            raise Refused(f"{path} is not a regular file") from error
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise Refused(f"the workspace is full, {path} was not written") from error
        raise Refused(f"{path}: {os.strerror(error.errno or 0)}") from error


@contextlib.contextmanager
def regular(path: str) -> Iterator[FileIO]:
    """A regular file, open for reading."""
    *folders, name = _parts(path) or [""]
    with explained(path), folder(folders) as inside:
        if not name:
            raise Refused(f"{path} is a folder")
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with FileIO(os.open(name, flags, dir_fd=inside)) as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISDIR(mode):
                raise Refused(f"{path} is a folder")
            if not stat.S_ISREG(mode):
                raise Refused(f"{path} is not a regular file")
            yield file


def read(path: str, limit: int) -> Iterator[bytes]:
    """Up to `limit` bytes of a regular file."""
    with regular(path) as file:
        before = os.fstat(file.fileno())
        while limit > 0 and (data := file.read(min(CHUNK, limit))):
            limit -= len(data)
            yield data
        after = os.fstat(file.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise Changed(f"{path} was written to while it was being read")


def write(path: str, chunks: Iterable[bytes], mode: int) -> int:
    """Write a file whole or not at all; its size."""
    *folders, name = _parts(path) or [""]
    with explained(path), folder(folders, make=True) as inside:
        if not name or _is_folder(name, inside):
            raise Refused(f"{path} is a folder")
        new, size = f".{os.urandom(6).hex()}.part", 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with os.fdopen(os.open(new, flags, 0o600, dir_fd=inside), "wb") as file:
                for data in chunks:
                    file.write(data)
                    size += len(data)
                os.fchmod(file.fileno(), mode)
            os.replace(new, name, src_dir_fd=inside, dst_dir_fd=inside)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new, dir_fd=inside)
            raise
        return size


def remove(path: str) -> None:
    """Delete a file or a link; not what it leads to."""
    *folders, name = _parts(path) or [""]
    with explained(path), folder(folders) as inside:
        if not name or _is_folder(name, inside):
            raise Refused(f"{path} is a folder")
        os.unlink(name, dir_fd=inside)


def _is_folder(name: str, inside: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=inside, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def mode_of(path: str) -> int:
    """The permission bits of a file, those of a new one if it does not exist."""
    *folders, name = _parts(path) or [""]
    with explained(path), folder(folders, make=True) as inside:
        try:
            return stat.S_IMODE(os.stat(name, dir_fd=inside, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return 0o644


def listing(path: str) -> list[dict[str, object]]:
    """What is in a folder, two levels deep, sorted, without hidden names."""
    parts = _parts(path)
    found: list[dict[str, object]] = []

    def look(inside: int, prefix: str, depth: int) -> None:
        for name in sorted(os.listdir(inside)):
            if name.startswith(".") or len(found) >= LISTED:
                continue
            entry = os.stat(name, dir_fd=inside, follow_symlinks=False)
            is_dir = stat.S_ISDIR(entry.st_mode)
            label = f"{prefix}/{name}"
            found.append({"path": label, "size": 0 if is_dir else entry.st_size, "is_dir": is_dir})
            if is_dir and depth > 1:
                inner = os.open(name, FOLDER, dir_fd=inside)
                try:
                    look(inner, label, depth - 1)
                finally:
                    os.close(inner)

    with explained(path), folder(parts) as top:
        look(top, "/".join([ROOT, *parts]), DEPTH)
    return found
