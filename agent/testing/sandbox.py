"""A sandbox in memory."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Self

from agent.errors import ToolError
from agent.events import Resources
from agent.sandbox import OUTPUT, Entry, Exited, Media, Notice, Printed, Removed, Seen, Settled
from agent.sandbox.confinement import WORKSPACE, Confinement
from sandbox_image.guest.glimpse import ENDINGS, is_whole, sound_head


class MemorySandbox:
    """A `Sandbox` without a computer: files in a dictionary, and a shell that knows a few words.

    It runs `echo WORDS [> FILE]`, `cat FILE`, `rm FILE`, `exit N`, `sleep SECONDS` (until its time
    is out or its iterator closed, at once), `true` and `false`, joined by `;`. Of the files in
    `looks` its `look` prints what stands there, of those in `checks` its `check`; of others, there
    is no such program.
    """

    name = "memory"
    image = "memory"
    confinement = Confinement()

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.looks: dict[str, str] = {}
        self.checks: dict[str, str] = {}
        self.running = False
        self._reported: dict[str, str] = {}
        self._told: dict[str, tuple[str, bytes]] = {}

    def __enter__(self) -> Self:
        self.running = True
        return self

    def __exit__(self, *exc: object) -> None:
        self.running = False

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        if "\0" in command:
            raise ToolError("The command has a NUL byte in it, which no shell can take.")
        code = 0
        for step in _steps(command):
            match step:
                case ["echo", *words, ">", path]:
                    self.files[_absolute(path)] = (" ".join(words) + "\n").encode()
                case ["echo", *words]:
                    yield Printed((" ".join(words) + "\n").encode())
                case ["cat", path]:
                    yield Printed(self.files[_absolute(path)])
                case ["rm", path]:
                    del self.files[_absolute(path)]
                case ["exit", status]:
                    yield Exited(int(status), shell_restarted=True)
                    return
                case ["sleep", seconds]:
                    yield None
                    if float(seconds) > timeout:
                        yield Exited(124, timed_out=True)
                        return
                case ["command", "/usr/local/bin/look", *_, path] if path in self.looks:
                    yield Printed(self.looks[path].encode())
                case ["command", "/usr/local/bin/check", *words] if self.checks.keys() & {*words}:
                    yield None
                    yield Printed("".join(self.checks.get(word, "") for word in words).encode())
                    code = 1
                case ["true"]:
                    code = 0
                case ["false"]:
                    code = 1
                case words:
                    yield Printed(f"bash: {words[0]}: command not found\n".encode())
                    code = 127
        yield Exited(code)

    def notices(self) -> list[Notice]:
        found: list[Notice] = []
        there = {path: data for path, data in self.files.items() if path.startswith(OUTPUT + "/")}
        for path, data in sorted(there.items()):
            digest = hashlib.sha256(data).hexdigest()
            if self._reported.get(path) != digest:
                self._reported[path] = digest
                found.append(Settled(path[len(OUTPUT) + 1 :], len(data)))
        for path in sorted(set(self._reported) - set(there)):
            del self._reported[path]
            found.append(Removed(path[len(OUTPUT) + 1 :]))
        return found

    def settle(self) -> list[Notice]:
        return self.notices()

    def read(self, path: str, limit: int) -> bytes:
        return self._file(path)[:limit]

    def stream(self, path: str, limit: int) -> Iterator[bytes]:
        data = self._file(path)
        if len(data) > limit:
            raise ToolError(f"That is more than the limit of {limit} bytes.")
        yield data

    def write(self, path: str, chunks: Iterable[bytes], *, read_only: bool = False) -> int:
        target = _absolute(path)
        if self._is_folder(target):
            raise ToolError(f"{path} is a folder")
        self.files[target] = b"".join(chunks)
        return len(self.files[target])

    def remove(self, path: str) -> None:
        self._file(path)
        del self.files[_absolute(path)]

    def glimpse(self, media: Media, limit: int) -> Seen | None:
        for path, data in reversed(self.files.items()):
            name = path[len(WORKSPACE) + 1 :]
            hidden = any(part.startswith(".") for part in name.split("/"))
            if name.startswith(("input/", "output/")) or hidden or len(data) > limit:
                continue
            if name.lower().endswith(ENDINGS[media]) and (told := _as_told(media, data)):
                if self._told.get(media) == (path, data):
                    return None
                self._told[media] = (path, data)
                return Seen(name, len(told), (chunk for chunk in [told]))
        return None

    def usage(self) -> Resources:
        return Resources(disk=sum(map(len, self.files.values())))

    def list(self, path: str) -> list[Entry]:
        root = _absolute(path)
        if not self._is_folder(root):
            raise ToolError(f"{path} does not exist")
        entries = {}
        for name, data in self.files.items():
            if name.startswith(root + "/"):
                parts = name[len(root) + 1 :].split("/")
                for depth in range(1, min(len(parts), 2) + 1):
                    label = "/".join([root, *parts[:depth]])
                    is_dir = depth < len(parts)
                    entries[label] = Entry(label, 0 if is_dir else len(data), is_dir)
        return [entries[label] for label in sorted(entries)]

    def save(self, limit: int) -> Iterator[bytes]:
        data = json.dumps({path: data.hex() for path, data in self.files.items()}).encode()
        if len(data) > limit:
            raise ToolError(f"That is more than the limit of {limit} bytes.")
        yield data

    def restore(self, chunks: Iterable[bytes]) -> None:
        try:
            saved = json.loads(b"".join(chunks))
        except ValueError as error:
            raise ToolError("the saved workspace cannot be unpacked") from error
        self.files.update({path: bytes.fromhex(data) for path, data in saved.items()})

    def _file(self, path: str) -> bytes:
        target = _absolute(path)
        if self._is_folder(target):
            raise ToolError(f"{path} is a folder")
        if target not in self.files:
            raise ToolError(f"{path} does not exist")
        return self.files[target]

    def _is_folder(self, path: str) -> bool:
        always = {WORKSPACE, f"{WORKSPACE}/input", OUTPUT}
        return path in always or any(name.startswith(path + "/") for name in self.files)


def _steps(command: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";")
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    while words:
        end = words.index(";") if ";" in words else len(words)
        yield words[:end]
        words = words[end + 1 :]


def _as_told(media: Media, data: bytes) -> bytes:
    """The bytes of a glimpse; none of what cannot be shown."""

    def read(length: int, at: int) -> bytes:
        return data[at : at + length]

    if media == "image":
        return data if is_whole(read, len(data)) else b""
    head = sound_head(data, len(data))
    return b"" if head is None else head + data[len(head) :]


def _absolute(path: str) -> str:
    parts: list[str] = []
    for part in PurePosixPath(WORKSPACE, path).parts[1:]:
        parts = parts[:-1] if part == ".." else [*parts, part]
    absolute = "/" + "/".join(parts)
    if absolute != WORKSPACE and not absolute.startswith(WORKSPACE + "/"):
        raise ToolError(f"{path} is outside {WORKSPACE}")
    return absolute
