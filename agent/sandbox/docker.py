"""Sandboxes as containers of a Docker engine; the only module that knows the engine."""

from __future__ import annotations

import contextlib
import re
import secrets
import socket
import struct
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from requests.exceptions import RequestException

from agent.errors import SandboxUnavailable
from agent.sandbox.channel import Channel
from agent.sandbox.confinement import Confinement
from agent.sandbox.guest import GuestSandbox, greet
from sandbox_image import image_tag

LABEL = "sandbox-studio"
INSTALLATION_LABEL, RUN_LABEL = f"{LABEL}.installation", f"{LABEL}.run"
MODES: Mapping[str, str] = {"none": "none", "open": "bridge"}
START_SECONDS, ENGINE_SECONDS, PULSE_SECONDS = 30.0, 60, 2.0
ATTACHED = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
# What the kernel counts by user (watches, pipe buffers, signals) is shared by all containers of
# one: a user for each, far from those of any system, and none can take it from the others.
USERS = range(1_000_000, 2_000_000)
STDCOPY = struct.Struct("!B3xI")
ENGINE_MISSING = (
    "No container engine answers ({error}). Start it (scripts/setup does), or set DOCKER_HOST."
)
IMAGE_MISSING = "The sandbox image {image} is not there. Run scripts/build-image to build it."


class _Attached:
    """A container's attached stream as a `Transport`: takes the engine's framing off."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._socket: socket.socket = getattr(stream, "_sock", stream)
        self._socket.setblocking(False)
        self._buffer = bytearray()
        self._errors = bytearray()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, data: memoryview) -> int:
        with contextlib.suppress(BlockingIOError):
            return self._socket.send(data)
        return 0

    def receive(self) -> bytes | None:
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return None
        if not data:
            if self._errors:
                last = self._errors.decode("utf-8", "replace").strip()[-500:]
                raise OSError(f"the guest failed: {last}")
            return b""
        self._buffer += data
        out, start = bytearray(), 0
        while len(self._buffer) - start >= STDCOPY.size:
            stream, length = STDCOPY.unpack_from(self._buffer, start)
            end = start + STDCOPY.size + length
            if len(self._buffer) < end:
                break
            piece = self._buffer[start + STDCOPY.size : end]
            if stream == 1:
                out += piece
            else:
                self._errors = (self._errors + piece)[-4096:]
            start = end
        del self._buffer[:start]
        return bytes(out) if out else None

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


@contextlib.contextmanager
def engine() -> Iterator[docker.DockerClient]:
    """A client for a while; what the engine refuses becomes `SandboxUnavailable`."""
    with contextlib.ExitStack() as stack:
        try:
            client = docker.from_env(timeout=ENGINE_SECONDS)
            stack.callback(client.close)
            yield client
        except ImageNotFound as error:
            raise SandboxUnavailable(IMAGE_MISSING.format(image=image_tag())) from error
        except APIError as error:
            raise SandboxUnavailable(f"The container engine refused: {_brief(error)}") from error
        except (DockerException, RequestException) as error:
            raise SandboxUnavailable(ENGINE_MISSING.format(error=_brief(error))) from error


def _brief(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:200]


@dataclass(frozen=True, slots=True)
class Container:
    """A started container whose guest has greeted; nobody has worked in it yet."""

    name: str
    image: str
    confinement: Confinement
    channel: Channel


def start(
    confinement: Confinement, *, installation: str, run: str = "", image: str | None = None
) -> Container:
    """Start a container and wait for its guest.

    Raises:
        SandboxUnavailable: there is no engine or image, or the guest does not answer.
    """
    image = image or image_tag()
    name = f"{LABEL}-{uuid.uuid4().hex[:12]}"
    uid = secrets.choice(USERS) if confinement.profile == "sealed" else 0
    with engine() as client, contextlib.ExitStack() as undo:
        api = client.api
        identity = api.create_container(
            image,
            name=name,
            hostname="sandbox",
            user=f"{uid}:{uid}",
            stdin_open=True,
            labels={INSTALLATION_LABEL: installation, RUN_LABEL: run},
            network_disabled=confinement.network == "none",
            host_config=api.create_host_config(
                network_mode=MODES[confinement.network], **confinement.settings(uid)
            ),
        )["Id"]
        undo.callback(_remove, client, name)
        channel = Channel(_Attached(api.attach_socket(identity, ATTACHED)))
        undo.callback(channel.close)
        api.start(identity)
        greet(channel, START_SECONDS)
        undo.pop_all()
    return Container(name, image, confinement, channel)


def remove(container: Container) -> None:
    """Remove a container and all that belongs to it; one that is gone is as good.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    container.channel.close()
    with engine() as client:
        _remove(client, container.name)


class DockerSandbox(GuestSandbox):
    """One container: no capabilities, not root, nothing of the host in it.

    It ends by itself when its stream closes, so a worker that dies leaves none behind. `warm`
    gives a container that waits ready, if there is one of this confinement.
    """

    def __init__(
        self,
        confinement: Confinement | None = None,
        *,
        image: str | None = None,
        installation: str = "library",
        run: str = "",
        warm: Callable[[Confinement], Container | None] | None = None,
    ) -> None:
        super().__init__()
        self.confinement = confinement or Confinement()
        self.image = image or image_tag()
        self.name = ""
        self._installation, self._run = installation, run
        self._warm = warm
        self._container: Container | None = None

    def __enter__(self) -> Self:
        while self._warm and (container := self._warm(self.confinement)):
            self._adopt(container)
            try:
                self.pulse(PULSE_SECONDS)
            except SandboxUnavailable:
                self.__exit__()
            else:
                return self
        self._adopt(
            start(
                self.confinement, installation=self._installation, run=self._run, image=self.image
            )
        )
        return self

    def _adopt(self, container: Container) -> None:
        self._container, self.name = container, container.name
        self.open(container.channel)

    def __exit__(self, *exc: object) -> None:
        container, self._container = self._container, None
        self.close()
        if container is not None:
            remove(container)


def _remove(client: docker.DockerClient, name: str) -> None:
    """Remove a container whatever it is doing; one that is gone or going is as good."""
    try:
        client.api.remove_container(name, force=True, v=True)
    except NotFound:
        return
    except APIError as error:
        if "already in progress" not in str(error):
            raise


def reap(installation: str, keep: Collection[str] = ()) -> int:
    """Remove an installation's containers whose run is not in `keep`; how many there were.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    with engine() as client:
        found = client.api.containers(
            all=True, filters={"label": f"{INSTALLATION_LABEL}={installation}"}
        )
        stale = [item for item in found if item["Labels"].get(RUN_LABEL) not in keep]
        for item in stale:
            _remove(client, item["Id"])
        return len(stale)


def image_protocol(image: str) -> int:
    """The guest protocol that an image on the engine says it speaks.

    Raises:
        SandboxUnavailable: no engine answers, or it has no such image.
    """
    with engine() as client:
        return int(client.images.get(image).labels.get(f"{LABEL}.protocol", 0))


def engine_version() -> str:
    """What the engine calls itself.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    with engine() as client:
        return str(client.api.version()["Version"])
