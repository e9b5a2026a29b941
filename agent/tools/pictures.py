"""Pictures that programs of the sandbox drew for a model.

Nothing of them is decoded here: `look` and `shoot` draw, scale and describe them in the sandbox.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Generator

from agent.errors import ToolError
from agent.limits import Limits
from agent.sandbox import Exited, Printed, Sandbox
from agent.sandbox.confinement import WORKSPACE
from agent.tools import Result, shortened
from agent.tools.output import BACKGROUND_CHARS, Output, background, remarks

LOOK = "/usr/local/bin/look"
SECONDS = 60.0
NOT_THERE = 127
MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")
MOST, MOST_BYTES = 4, 1 << 20
# Any program can print such a line. It names a file of the model's own workspace and nothing else.
NAME = r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,80}"
LINE = re.compile(rf"^\[picture: (/workspace/\.seen/{NAME})\]$\n?", re.MULTILINE)


def fetched(text: str, sandbox: Sandbox, *, sees: bool) -> tuple[str, tuple[bytes, ...]]:
    """The pictures that a command's output names, and the output with their numbers instead.

    For a model that does not see, the lines are left out: what it needs stands before them.
    """
    images: list[bytes] = []

    def replaced(found: re.Match[str]) -> str:
        if not sees:
            return ""
        if len(images) == MOST:
            return f"[a picture more than {MOST} at once: look at it by itself]\n"
        if data := _read(sandbox, found[1]):
            images.append(data)
            return f"[picture {len(images)} follows]\n"
        return "[the picture is not there any more]\n"

    if "[picture: " not in text:
        return text, ()
    return LINE.sub(replaced, text).rstrip("\n"), tuple(images)


def _read(sandbox: Sandbox, path: str) -> bytes:
    """A PNG or JPEG file of a sensible size, or nothing."""
    try:
        data = sandbox.read(path, MOST_BYTES + 1)
    except ToolError:
        return b""
    return data if len(data) <= MOST_BYTES and data.startswith(MAGIC) else b""


def look(
    sandbox: Sandbox, path: str, limits: Limits, *, sees: bool
) -> Generator[None, None, Result | None]:
    """What the sandbox's `look` shows of a file; None where there is no such program."""
    allowed = min(SECONDS, limits.command_seconds)
    # Text is looked for on behalf of those who cannot read it in the picture. The whole path, and
    # `command`, so that no alias or function of the shell takes its place.
    options = "--brief " if sees else ""
    command = f"command {LOOK} {options}{shlex.quote(posixpath.join(WORKSPACE, path))}"
    own = Output(limits.output_chars, limits.output_chars)
    others = Output(BACKGROUND_CHARS, BACKGROUND_CHARS)
    end = Exited(NOT_THERE)
    for item in sandbox.run(command, allowed):
        match item:
            case Printed(data):
                (others if item.background else own).add(data)
                yield None
            case Exited():
                end = item
            case None:
                yield None
    if end.code == NOT_THERE:
        return None
    printed, images = fetched(own.text(), sandbox, sees=sees)
    told = [shortened(printed, limits.output_chars), *remarks(end, allowed, sandbox)]
    text = "\n".join([*background(others.text()), *told])
    return Result(text, failed=end.code != 0, images=images)
