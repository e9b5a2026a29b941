"""Sandboxes as containers of a Docker engine; the only module that knows the engine."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import uuid
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, Self

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit
from requests.exceptions import RequestException

from agent.errors import SandboxUnavailable
from agent.sandbox import WORKSPACE
from agent.sandbox.channel import Channel
from agent.sandbox.guest import GuestSandbox
from sandbox_image import image_tag

Network = Literal["none", "open"]
LABEL = "sandbox-studio"
INSTALLATION_LABEL, RUN_LABEL = f"{LABEL}.installation", f"{LABEL}.run"
MODES: Mapping[str, str] = {"none": "none", "open": "bridge"}
MEMORY, WORKSPACE_BYTES, TMP_BYTES = 4 << 30, 2 << 30, 1 << 30
PROCESSES, OPEN_FILES, CPUS = 512, 4096, 2
START_SECONDS, ENGINE_SECONDS = 30.0, 60
ATTACHED = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
CONFINEMENT: Mapping[str, Any] = {
    "auto_remove": True,
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges"],
    "mem_limit": MEMORY,
    "memswap_limit": MEMORY,
    "pids_limit": PROCESSES,
    "nano_cpus": CPUS * 10**9,
    "ulimits": [
        Ulimit(name="nofile", soft=OPEN_FILES, hard=OPEN_FILES),
        Ulimit(name="fsize", soft=WORKSPACE_BYTES, hard=WORKSPACE_BYTES),
        Ulimit(name="core", soft=0, hard=0),
    ],
    "tmpfs": {
        WORKSPACE: f"rw,exec,nosuid,nodev,uid=1000,gid=1000,mode=0755,size={WORKSPACE_BYTES}",
        "/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={TMP_BYTES}",
    },
    "log_config": LogConfig(type=LogConfig.types.NONE),
    "ipc_mode": "private",
}
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


class DockerSandbox(GuestSandbox):
    """One container: no capabilities, not root, nothing of the host in it.

    It ends by itself when its stream closes, so a worker that dies leaves none behind.
    """

    def __init__(
        self,
        *,
        image: str | None = None,
        network: Network = "none",
        installation: str = "library",
        run: str = "",
    ) -> None:
        super().__init__()
        self._image = image or image_tag()
        self._network = network
        self._labels = {INSTALLATION_LABEL: installation, RUN_LABEL: run}
        self._name = f"{LABEL}-{uuid.uuid4().hex[:12]}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def image(self) -> str:
        return self._image

    def __enter__(self) -> Self:
        with engine() as client, contextlib.ExitStack() as undo:
            api = client.api
            container = api.create_container(
                self._image,
                name=self._name,
                hostname="sandbox",
                stdin_open=True,
                labels=self._labels,
                network_disabled=self._network == "none",
                host_config=api.create_host_config(
                    network_mode=MODES[self._network], **CONFINEMENT
                ),
            )["Id"]
            undo.callback(_remove, client, self._name)
            channel = Channel(_Attached(api.attach_socket(container, ATTACHED)))
            undo.callback(channel.close)
            api.start(container)
            self.greet(channel, START_SECONDS)
            undo.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        channel, self._open_channel = self._open_channel, None
        if channel is not None:
            channel.close()
        with engine() as client:
            _remove(client, self._name)


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
