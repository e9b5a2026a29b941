"""What a command printed, as a model is told of it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from agent.sandbox import Exited, Sandbox
from agent.sandbox.confinement import Confinement

BACKGROUND_CHARS = 2_000
OVERWRITTEN = re.compile(r"^[^\n]*\r(?!\n)", re.MULTILINE)  # Looked for once a line.


class Output:
    """The beginning and the end of a text of any length, in bounded memory.

    Of a line that is cut as much as `cut` characters stay on either side.
    """

    def __init__(self, limit: int, cut: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._limit, self._cut = limit, cut
        self._head, self._tail, self.lost = "", "", 0

    def add(self, data: bytes) -> str:
        """Take in some bytes; what they say."""
        text = self._decoder.decode(data)
        room = self._limit - len(self._head)
        self._head += text[:room]
        if rest := text[room:]:
            tail = self._tail + rest
            self._tail = tail[-self._limit :]
            self.lost += len(tail) - len(self._tail)
        return text

    def text(self) -> str:
        head, tail = self._head, self._tail
        if self.lost:
            head = head[: head.rfind("\n") + 1 + self._cut]
            tail = tail[max(0, len(tail.partition("\n")[0]) - self._cut) :]
            lost = self.lost + len(self._head) - len(head) + len(self._tail) - len(tail)
            head += f"\n[… {lost} characters left out …]\n"
        return OVERWRITTEN.sub("", head + tail).rstrip("\n")


def background(printed: str) -> list[str]:
    """What jobs of earlier commands printed, set apart."""
    if not printed:
        return []
    lines = printed.splitlines()
    return ["[printed by background jobs of earlier commands:]", *lines, "[end of that]"]


def remarks(end: Exited, allowed: float, sandbox: Sandbox) -> Iterator[str]:
    """What there is to say about how a command ended."""
    if end.timed_out:
        yield f"[ended after {allowed:.0f} s: the command took too long]"
    if end.shell_restarted:
        yield (
            "[the shell itself ended and was started again in the same folder: "
            "its variables, functions and jobs are gone]"
        )
    for limit in end.reached:
        yield f"[{_explained(limit, sandbox.confinement)}]"
    if end.code and not end.timed_out:
        yield f"[exit code {end.code}{_meaning(end.code)}]"


def _explained(limit: str, confinement: Confinement) -> str:
    match limit:
        case "memory":
            return (
                "out of memory: a process was killed. All processes and the files in /workspace "
                f"and /tmp share {confinement.memory >> 20} MB: work on less at once"
            )
        case "processes":
            return (
                f"process limit: no more than {confinement.processes} processes and threads can "
                "run at once. All that still ran but the shell was ended: start fewer"
            )
        case folder:
            return f"disk full: nothing more fits into {folder}. Delete what is not needed"


def _meaning(code: int) -> str:
    return {
        126: ": not executable",
        127: ": command not found",
        130: ": interrupted",
        134: ": aborted",
        137: ": killed",
        139: ": segmentation fault",
        153: ": a file grew larger than the disk",
    }.get(code, "")
