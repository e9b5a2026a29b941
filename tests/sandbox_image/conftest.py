"""A container of this checkout's image with the restrictions that sandboxes have."""

import io
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import docker
import pytest
from docker.models.containers import Container
from docker.models.images import Image

from sandbox_image import image_tag

USER = "1000:1000"


@dataclass(frozen=True)
class Result:
    status: int
    output: str


class Box:
    """Runs scripts in one container; files live in its /workspace."""

    def __init__(self, container: Container) -> None:
        self._container = container

    def run(self, script: str, seconds: int = 120) -> Result:
        command = ["timeout", str(seconds), "bash", "-c", script]
        status, output = self._container.exec_run(command, user=USER, workdir="/workspace")
        return Result(status, output.decode("utf-8", "replace"))

    def ok(self, script: str, seconds: int = 120) -> str:
        """What the script printed; the test fails unless every command in it succeeded."""
        result = self.run(f"set -euo pipefail\n{script}", seconds)
        assert result.status == 0, f"exit status {result.status}:\n{result.output}"
        return result.output

    def write(self, name: str, text: str) -> None:
        # Through a shell: the engine's own copying can't see a tmpfs.
        assert "'END'" not in text
        self.ok(f"cat > '{name}' <<'END'\n{text}\nEND")


@pytest.fixture(scope="session")
def image(engine: docker.DockerClient) -> Image:
    """This checkout's image; scripts/build-image makes it."""
    return engine.images.get(image_tag())


@pytest.fixture(scope="session")
def box(engine: docker.DockerClient, image: Image) -> Iterator[Box]:
    container = engine.containers.run(
        image.id,
        entrypoint=["sleep", "1200"],
        detach=True,
        init=True,
        labels={"sandbox-studio.test": "image"},
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        user=USER,
        mem_limit="3g",
        pids_limit=256,
        tmpfs={"/tmp": "exec,size=512m,mode=1777", "/workspace": "exec,size=1g,uid=1000,gid=1000"},
    )
    try:
        yield Box(container)
    finally:
        container.remove(force=True)


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
