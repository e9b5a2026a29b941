"""Tells when a file of the output folder has settled: closed, and then left alone.

Inotify says when to look; what is reported is what a look at the file itself finds. A file that is
still being written is reported by nobody: its writer has not closed it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import time

MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO = 0x2, 0x8, 0x40, 0x80
CREATE, DELETE, ISDIR, ONLYDIR, DONT_FOLLOW = 0x100, 0x200, 0x40000000, 0x01000000, 0x02000000
MASK = MODIFY | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | ONLYDIR | DONT_FOLLOW
OVERFLOW, IGNORED = 0x4000, 0x8000
HEAD = struct.Struct("iIII")
QUIET = 0.25
FILES, DEPTH = 2000, 16

Identity = tuple[int, int, int]


class Watcher:
    """Watches `root`; `descriptor` becomes readable when there is something to `take`."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._folders: dict[int, str] = {}
        self._reported: dict[str, Identity] = {}
        self._skipped: set[str] = set()
        self._closed: dict[str, float] = {}
        self._open: set[str] = set()
        self._stirred = True
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "the kernel gives this user no more watches")
        self._watch("")

    def _watch(self, folder: str) -> None:
        """Watch a folder and those in it; what is in it already counts as just closed."""
        path = os.fsencode(os.path.join(self.root, folder))
        number = self._libc.inotify_add_watch(self.descriptor, path, MASK)
        if number < 0 or folder.count("/") >= DEPTH:
            return
        self._folders[number] = folder
        with contextlib.suppress(OSError), os.scandir(os.path.join(self.root, folder)) as entries:
            for entry in entries:
                name = os.path.join(folder, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    self._watch(name)
                else:
                    self._closed.setdefault(name, time.monotonic())

    def take(self) -> None:
        """Note what inotify has to say."""
        try:
            data = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return
        self._stirred = True
        while data:
            number, mask, _, length = HEAD.unpack_from(data)
            name = os.fsdecode(data[HEAD.size : HEAD.size + length].rstrip(b"\0"))
            data = data[HEAD.size + length :]
            self._note(number, mask, name)

    def _note(self, number: int, mask: int, name: str) -> None:
        if mask & OVERFLOW:
            self._watch("")
            return
        if mask & IGNORED:
            self._folders.pop(number, None)
            return
        folder = self._folders.get(number)
        if folder is None:
            return
        path = os.path.join(folder, name)
        if mask & ISDIR:
            if mask & (CREATE | MOVED_TO):
                self._watch(path)
            return
        self._open.discard(path)
        if mask & (MODIFY | CREATE):
            self._open.add(path)
        else:
            self._closed[path] = time.monotonic()

    def wait(self) -> float | None:
        """Seconds until something will have settled; None when nothing is on its way."""
        if not self._closed:
            return None
        return max(0.0, min(self._closed.values()) + QUIET - time.monotonic())

    def settled(self) -> list[dict[str, object]]:
        """Notices about files that have been left alone long enough."""
        now = time.monotonic()
        due = [path for path, since in self._closed.items() if now - since >= QUIET]
        return [notice for path in due for notice in self._look(path)]

    def changed(self) -> list[dict[str, object]]:
        """As `settle`, but without a look when nothing has happened since the last one."""
        self.take()
        return self.settle() if self._stirred else []

    def settle(self) -> list[dict[str, object]]:
        """Notices about every file that has changed since it was last reported."""
        self.take()
        self._stirred = False
        paths = sorted({*self._reported, *self._closed, *self._walk()} - self._open)
        notices = [notice for path in paths for notice in self._look(path)]
        self._closed.clear()
        return notices

    def unfinished(self, path: str) -> bool:
        """Whether somebody still writes this file, as far as is known."""
        return path in self._open

    def finish(self) -> None:
        """Take files that nobody closed as they are: the run ends here."""
        self._open.clear()

    def _walk(self) -> list[str]:
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            relative = os.path.relpath(folder, self.root)
            prefix = "" if relative == "." else relative
            if prefix.count("/") >= DEPTH:
                folders.clear()
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            found += (os.path.join(prefix, name) for name in [*names, *links])
            if len(found) >= FILES:
                break
        return found[:FILES]

    def _look(self, path: str) -> list[dict[str, object]]:
        self._closed.pop(path, None)
        if any(part.startswith(".") or part == "__pycache__" for part in path.split("/")):
            return []
        try:
            entry = os.stat(os.path.join(self.root, path), follow_symlinks=False)
        except OSError:
            self._skipped.discard(path)
            if self._reported.pop(path, None) is None:
                return []
            return [{"what": "removed", "path": path}]
        if not stat.S_ISREG(entry.st_mode):
            return self._skip(path, f"it is {_named(entry.st_mode)}, not a regular file")
        identity = (entry.st_ino, entry.st_size, entry.st_mtime_ns)
        if self._reported.get(path) == identity:
            return []
        if path not in self._reported and len(self._reported) >= FILES:
            return self._skip(path, f"there are more than {FILES} files")
        self._reported[path] = identity
        return [{"what": "settled", "path": path, "size": entry.st_size}]

    def _skip(self, path: str, why: str) -> list[dict[str, object]]:
        if path in self._skipped or len(self._skipped) >= FILES:
            return []
        self._skipped.add(path)
        return [{"what": "skipped", "path": path, "why": why}]


def _named(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device or folder"
