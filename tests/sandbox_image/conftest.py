"""A sandbox of this checkout's image, confined as every other."""

import io
import shlex
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import docker
import pytest
from docker.models.images import Image

from agent import DockerSandbox
from agent.sandbox import Exited, Printed
from sandbox_image import image_tag


@dataclass(frozen=True)
class Result:
    status: int
    output: str


class Box:
    """Runs scripts in one sandbox, each in a shell of its own; files live in its /workspace."""

    def __init__(self, sandbox: DockerSandbox) -> None:
        self._sandbox = sandbox

    def run(self, script: str, seconds: int = 120) -> Result:
        items = list(self._sandbox.run(f"cd; bash -c {shlex.quote(script)}", seconds))
        printed = b"".join(item.data for item in items if isinstance(item, Printed))
        end = items[-1]
        assert isinstance(end, Exited)
        return Result(end.code, printed.decode("utf-8", "replace"))

    def ok(self, script: str, seconds: int = 120) -> str:
        """What the script printed; the test fails unless every command in it succeeded."""
        result = self.run(f"set -euo pipefail\n{script}", seconds)
        assert result.status == 0, f"exit status {result.status}:\n{result.output}"
        return result.output

    def await_end_of(self, program: str) -> None:
        """Whoever was killed is gone a moment later; the test fails if somebody was not."""
        self.ok(f"""for _ in $(seq 300); do
          running=$(ps -eo stat,comm | grep -v ^Z)
          [[ $running == *{program}* ]] || exit 0
          sleep 0.1
        done; exit 1""")

    def write(self, name: str, text: str) -> None:
        self._sandbox.write(name, [text.encode()])

    def read(self, name: str) -> bytes:
        return self._sandbox.read(name, 8 << 20)


@pytest.fixture(scope="session")
def image(engine: docker.DockerClient) -> Image:
    """This checkout's image; scripts/build-image makes it."""
    return engine.images.get(image_tag())


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    with DockerSandbox() as sandbox:
        yield Box(sandbox)


@pytest.fixture(scope="session")
def read_from_image(engine: docker.DockerClient, image: Image) -> Iterator[Callable[[str], bytes]]:
    """Reads a file of the image as it is before anything has started in it."""
    container = engine.containers.create(image.id)

    def read(path: str) -> bytes:
        stream, _ = container.get_archive(path)
        with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
            file = archive.extractfile(archive.getmembers()[0])
            assert file is not None
            return file.read()

    try:
        yield read
    finally:
        container.remove(force=True)
