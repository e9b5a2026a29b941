"""Files found by asking for the whole folder twice a second, with the engine's own SDK."""

from __future__ import annotations

import contextlib
import io
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import docker

from benchmarks.peers import Sampler, serve
from benchmarks.peers.writer import FILES, WRITER, closed

EVERY_SECONDS = 0.5
FOLDER = "/results"


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of files that are written in a container while their folder is polled."""
    client: Any = docker.from_env()
    container = client.containers.run(
        sys.argv[1],
        ["sleep", "infinity"],
        entrypoint=[],
        user="0",
        detach=True,
        network_mode="none",
    )

    def samples() -> Sequence[float]:
        container.exec_run(["sh", "-c", f"rm -rf {FOLDER}; mkdir {FOLDER}"])
        writer = client.api.exec_create(container.id, ["python3", "-c", WRITER, FOLDER])
        output = client.api.exec_start(writer, stream=True)
        came: dict[str, float] = {}
        due = time.monotonic()
        while len(came) < FILES:
            archive = io.BytesIO(b"".join(container.get_archive(FOLDER)[0]))
            with tarfile.open(fileobj=archive) as tar:
                names = [member.name.rpartition("/")[2] for member in tar if member.isfile()]
            now = time.time()
            for name in names:
                came.setdefault(name, now)
            due += EVERY_SECONDS
            time.sleep(max(0.0, due - time.monotonic()))
        times = closed(b"".join(output).decode())
        return [(came[name] - at) * 1000 for name, at in times.items()]

    try:
        yield samples
    finally:
        container.remove(force=True)
        client.close()


if __name__ == "__main__":
    serve(opened)
