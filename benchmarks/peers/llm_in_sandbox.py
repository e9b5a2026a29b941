"""The paper's reference package: how long it takes to close a sandbox."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence

from llm_in_sandbox import DockerRuntime

from benchmarks.measure import milliseconds
from benchmarks.peers import Sampler, serve


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of `DockerRuntime.close`."""

    def close() -> float:
        # Its own image has no entrypoint, and root for its user.
        runtime = DockerRuntime(sys.argv[1], logger=False, entrypoint=[], user="0")
        return milliseconds(runtime.close)

    def samples(times: int) -> Sequence[float]:
        return [close() for _ in range(times)]

    yield samples


if __name__ == "__main__":
    serve(opened)
