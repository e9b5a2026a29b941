"""Sandboxes of the benchmarks: the tool that is measured, and many sandboxes at once."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from agent import DockerSandbox, Limits
from agent.sandbox import Sandbox
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import Container, start
from agent.sandbox.pool import WIDTH, Pool
from agent.tools import Result, Tool
from agent.tools.bash import bash_tool

# Of this process: what another leaves is not taken for ours.
INSTALLATION = f"benchmarks-{os.getpid()}"
READY_SECONDS = 60.0
# What ended a moment ago is still being put away by the engine.
SETTLED_SECONDS = 0.5
Warm = Callable[[Confinement], Container | None]


def new(warm: Warm | None = None) -> DockerSandbox:
    """A sandbox like those of a run, not started yet."""
    return DockerSandbox(installation=INSTALLATION, warm=warm)


def pool(size: int) -> Pool:
    """A pool of containers for `new`."""
    return Pool(partial(start, installation=INSTALLATION), Confinement(), size)


def wait_until_ready(pool: Pool, size: int) -> None:
    """Let a pool fill, and the engine come to rest."""
    deadline = time.monotonic() + READY_SECONDS
    while pool.ready() < size:
        assert time.monotonic() < deadline, "the pool does not fill"
        time.sleep(0.05)
    time.sleep(SETTLED_SECONDS)


def bash(sandbox: Sandbox) -> Tool:
    """`execute_bash` as a run has it."""
    return bash_tool(sandbox, Limits(), lambda: math.inf)


def run(tool: Tool, command: str) -> str:
    """What the model is told; the command must succeed."""
    *_, result = tool.call({"command": command})
    assert isinstance(result, Result)
    assert not result.failed, result.text
    return result.text


@contextlib.contextmanager
def many(count: int, width: int = WIDTH) -> Iterator[Sequence[DockerSandbox]]:
    """So many started sandboxes, `width` of them starting at a time."""
    boxes = [new() for _ in range(count)]
    with ThreadPoolExecutor(width) as threads:
        try:
            list(threads.map(DockerSandbox.__enter__, boxes))
            yield boxes
        finally:
            list(threads.map(lambda box: box.__exit__(), boxes))
