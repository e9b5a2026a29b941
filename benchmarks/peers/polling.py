"""Files found by asking for the whole folder twice a second, with the engine's own SDK."""

from __future__ import annotations

import contextlib
import io
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence

from benchmarks.peers import Sampler, serve

FILES = 12
EVERY_SECONDS = 0.5
FOLDER = "/results"
# Pauses that are no multiple of the polls' meet them at any moment.
WRITER = f"""
import os, sys, time
os.makedirs(sys.argv[1], exist_ok=True)
told = []
for n in range({FILES}):
    time.sleep(0.63)
    with open(f"{{sys.argv[1]}}/{{n}}.txt", "w") as file:
        file.write("words " * 1000)
    told.append((f"{{n}}.txt", time.time()))
time.sleep(1)
for name, at in told:
    print(name, at)
"""


def closed(printed: str) -> dict[str, float]:
    """When each file was closed, as the writer prints it."""
    return {name: float(at) for name, at in map(str.split, printed.splitlines())}


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of files that are written in a container while their folder is polled."""
    import docker  # Only the peers' virtualenv has to have it.

    client = docker.from_env()
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
