"""What a sandbox is to the loop: one computer, one persistent shell, files in and out."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, Self

from agent.events import Resources
from agent.sandbox.confinement import WORKSPACE, Confinement

INPUT = f"{WORKSPACE}/input"
OUTPUT = f"{WORKSPACE}/output"

Media = Literal["image", "audio"]


@dataclass(frozen=True, slots=True)
class Printed:
    """Bytes that the command printed, stdout and stderr in the order they came.

    `background` marks what jobs of earlier commands printed since.
    """

    data: bytes
    background: bool = False


@dataclass(frozen=True, slots=True)
class Exited:
    """The command ended.

    `code` is bash's (128+n for a signal, 124 after a timeout). `shell_restarted` says that the
    shell itself ended with the command: its variables, functions and jobs are gone. `reached` are
    the limits met since the last command: `memory`, `processes`, or the path of a folder that is
    full. `log` is the file that has a long output, as far as it is kept, or empty.
    """

    code: int
    timed_out: bool = False
    shell_restarted: bool = False
    reached: tuple[str, ...] = ()
    log: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A regular file below the output folder was closed and left alone; `path` is relative."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something below the output folder that is not a regular file, or cannot be taken."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A file reported as settled is gone."""

    path: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a folder listing; `path` is absolute, `size` is 0 for folders."""

    path: str
    size: int
    is_dir: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that is being made; `path` is below the workspace.

    Its `chunks` are taken before the sandbox is asked anything else, or closed. They raise
    `FileChanged` when it was written to meanwhile.
    """

    path: str
    size: int
    chunks: Generator[bytes, None, None]


Notice = Settled | Skipped | Removed


class Sandbox(Protocol):
    """A context manager: entering starts it, leaving removes every trace of it.

    Paths are absolute inside the sandbox and below `/workspace`; a path is a label from a
    stranger and never opened on the host. Every method may raise `SandboxUnavailable`.
    """

    @property
    def name(self) -> str:
        """What the engine calls it, once it is entered."""
        ...

    @property
    def image(self) -> str:
        """The image it runs."""
        ...

    @property
    def confinement(self) -> Confinement:
        """What it has and may do."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        """Run `command` in the persistent shell; yield its output as it comes, `Exited` last.

        `None` is a heart beat, at least two a second, and at once when there is something in
        `notices`. After `timeout` seconds, or when the
        iterator is closed early, the command's whole process tree is killed; the shell lives.

        Raises:
            ToolError: the command cannot be given to a shell (NUL bytes, over 10 MB).
        """
        ...

    def notices(self) -> list[Notice]:
        """What happened in the output folder since the last call; never waits."""
        ...

    def settle(self) -> list[Notice]:
        """Look through the output folder now and report everything not yet reported."""
        ...

    def read(self, path: str, limit: int) -> bytes:
        """The first `limit` bytes of a regular file.

        Raises:
            ToolError: there is no such file, or it is not a regular file below the workspace.
        """
        ...

    def stream(self, path: str, limit: int) -> Iterator[bytes]:
        """The bytes of a regular file in chunks of at most 1 MiB.

        Raises:
            ToolError: as `read`, and when the file has more than `limit` bytes.
        """
        ...

    def write(self, path: str, chunks: Iterable[bytes], *, read_only: bool = False) -> int:
        """Write a file whole or not at all, making its folders; return its size.

        Raises:
            ToolError: the path is not below the workspace, is a folder, or the disk is full.
        """
        ...

    def remove(self, path: str) -> None:
        """Delete a file.

        Raises:
            ToolError: there is no such file below the workspace, or it is a folder.
        """
        ...

    def glimpse(self, media: Media, limit: int) -> Seen | None:
        """The newest whole picture of the last half minute, or the sound that is being written as
        far as it has come (a WAV's head says how far); None if that has been told already.

        Only names, first bytes and last bytes are looked at, of at most 5000 files. Left out are
        inputs, hidden folders, what has more than `limit` bytes, and what is closed in the output
        folder: that is noticed as it settles.
        """
        ...

    def usage(self) -> Resources:
        """What it has used since it started."""
        ...

    def list(self, path: str) -> list[Entry]:
        """What is in a folder and in its folders, two levels, at most 1000 entries, sorted.

        Raises:
            ToolError: there is no such folder.
        """
        ...

    def save(self, limit: int) -> Iterator[bytes]:
        """The workspace (without inputs and caches) as a gzipped tar.

        Raises:
            ToolError: it has more than `limit` bytes.
        """
        ...

    def restore(self, chunks: Iterable[bytes]) -> None:
        """Unpack what `save` gave; entries that would lead out of the workspace are left out.

        Raises:
            ToolError: it is not such an archive, or the disk is full.
        """
        ...
