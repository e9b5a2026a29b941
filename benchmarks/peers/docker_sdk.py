"""The engine's own SDK: a process per command, as most sandboxes do it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import docker

from benchmarks.measure import milliseconds
from benchmarks.peers import Sampler, serve


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of `exec_run` in one container, or of starting containers."""
    client = docker.from_env()
    containers: list[Any] = []

    def start() -> Any:
        # Our network, which is the faster one: what is compared is the way, not the bridge.
        containers.append(
            client.containers.run(
                sys.argv[1], ["sleep", "infinity"], entrypoint=[], detach=True, network_mode="none"
            )
        )
        return containers[-1]

    def start_and_run() -> None:
        start().exec_run("true")

    def samples(times: int, command: str = "") -> Sequence[float]:
        if command:
            return [milliseconds(partial(first.exec_run, command)) for _ in range(times)]
        taken = []
        for _ in range(times):
            taken.append(milliseconds(start_and_run))
            containers.pop().remove(force=True)
        return taken

    try:
        first = start()
        yield samples
    finally:
        for container in containers:
            container.remove(force=True)
        client.close()


if __name__ == "__main__":
    serve(opened)
