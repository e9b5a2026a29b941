"""Sandboxes as containers of a Docker engine; the only module that knows the engine."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import IPAMConfig, IPAMPool, NetworkingConfig
from requests.exceptions import RequestException

from agent.errors import SandboxUnavailable
from agent.sandbox.attached import Attached
from agent.sandbox.channel import Channel
from agent.sandbox.confinement import Confinement, Network
from agent.sandbox.guest import GuestSandbox, furnish, greet
from agent.sandbox.mirrors import Mirrors, machine_mirrors
from agent.sandbox.network import (
    PROXY,
    Link,
    Subnet,
    open_link,
    packages_link,
    proxy_command,
    proxy_link,
)
from sandbox_image import REPOSITORIES, image_tag, proxy_tag

LABEL = "sandbox-studio"
INSTALLATION_LABEL, RUN_LABEL = f"{LABEL}.installation", f"{LABEL}.run"
# On a sandbox, its proxy and its network alike: the sandbox's name.
NAME_LABEL = f"{LABEL}.name"
START_SECONDS, ENGINE_SECONDS, PULSE_SECONDS, RELEASE_SECONDS = 30.0, 60, 2.0, 15.0
ATTACHED = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
LIFELINE = {"stdin": 1, "stream": 1}
# A network called internal leads nowhere, but the engine's host answers in it unless told not to.
ISOLATED = {"com.docker.network.bridge.inhibit_ipv4": "true"}
BEING_REMOVED, STILL_USED = "already in progress", "active endpoints"
SUBNETS_TRIED = 20
# What the kernel counts by user (watches, pipe buffers, signals) is shared by all containers of
# one: a user for each, far from those of any system, and none can take it from the others.
USERS = range(1_000_000, 2_000_000)
ENGINE_MISSING = (
    "No container engine answers ({error}). Start it (scripts/setup does), or set DOCKER_HOST."
)
IMAGE_MISSING = "{error}. Run {command} to build what sandboxes need."


@contextlib.contextmanager
def engine() -> Iterator[docker.DockerClient]:
    """A client for a while; what it is refused becomes `SandboxUnavailable`."""
    with contextlib.ExitStack() as stack:
        try:
            client = docker.from_env(timeout=ENGINE_SECONDS)
            stack.callback(client.close)
            yield client
        except ImageNotFound as error:
            missing = str(error.explanation)
            command = "scripts/build-image"
            if REPOSITORIES["workshop"] in missing:
                command += " workshop"
            said = IMAGE_MISSING.format(error=missing, command=command)
            raise SandboxUnavailable(said) from error
        except APIError as error:
            raise SandboxUnavailable(f"The container engine refused: {_brief(error)}") from error
        except (DockerException, RequestException) as error:
            raise SandboxUnavailable(ENGINE_MISSING.format(error=_brief(error))) from error


def _brief(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:200]


@dataclass(frozen=True, slots=True)
class Container:
    """A started container whose guest has greeted; nobody has worked in it yet.

    With the network `packages` it has a network of its own, called as itself, and in that a proxy,
    which ends when `lifeline` closes.
    """

    name: str
    image: str
    confinement: Confinement
    channel: Channel
    lifeline: Attached | None = None


def start(
    confinement: Confinement,
    *,
    installation: str,
    run: str = "",
    image: str | None = None,
    mirrors: Mirrors | None = None,
) -> Container:
    """Start a container, and what lies between it and the network, and wait for its guest.

    It installs from `mirrors`, by default those that this machine's own tools use.

    Raises:
        SandboxUnavailable: there is no engine or image, or the guest does not answer.
    """
    image = image or image_tag(confinement.profile)
    name = f"{LABEL}-{uuid.uuid4().hex[:12]}"
    labels = {INSTALLATION_LABEL: installation, RUN_LABEL: run, NAME_LABEL: name}
    with engine() as client, contextlib.ExitStack() as undo:
        maker = _Maker(client, undo, name, labels)
        link, lifeline = maker.link(confinement.network, mirrors)
        uid = secrets.choice(USERS) if confinement.profile == "sealed" else 0
        identity = maker.container(name, image, confinement, uid, link)
        channel = Channel(Attached(client.api.attach_socket(identity, ATTACHED)))
        undo.callback(channel.close)
        client.api.start(identity)
        greet(channel, START_SECONDS)
        furnish(channel, link.files)
        undo.pop_all()
    return Container(name, image, confinement, channel, lifeline)


def remove(container: Container) -> None:
    """Remove a container and all that belongs to it; what is gone already is as good.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    container.channel.close()
    if container.lifeline is not None:
        container.lifeline.close()
    with engine() as client:
        remove_container(client, container.name)
        if container.confinement.network == "packages":
            remove_container(client, _proxy_name(container.name))
            remove_network(client, container.name)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes what one sandbox consists of; `undo` removes it again, half made or whole."""

    client: docker.DockerClient
    undo: contextlib.ExitStack
    name: str
    labels: dict[str, str]

    def link(self, policy: Network, mirrors: Mirrors | None) -> tuple[Link, Attached | None]:
        """The sandbox's place on a network; for `packages` with what keeps its proxy alive."""
        if policy == "none":
            return Link("none"), None
        mirrors = mirrors or machine_mirrors()
        if policy == "open":
            return open_link(mirrors), None
        subnet = self.network()
        lifeline = self.proxy(mirrors, subnet)
        return packages_link(self.name, subnet, mirrors), lifeline

    def network(self) -> Subnet:
        """The sandbox's own network, called as the sandbox."""
        self.undo.callback(remove_network, self.client, self.name)
        for left in reversed(range(SUBNETS_TRIED)):
            subnet = Subnet.random()
            try:
                self.client.api.create_network(
                    self.name,
                    driver="bridge",
                    internal=True,
                    options=ISOLATED,
                    labels=self.labels,
                    ipam=IPAMConfig(pool_configs=[IPAMPool(subnet=str(subnet.network))]),
                )
            except APIError as error:
                if "overlap" not in str(error) or not left:
                    raise
            else:
                break
        return subnet

    def proxy(self, mirrors: Mirrors, subnet: Subnet) -> Attached:
        """The proxy between that network and the engine's bridge; what keeps it alive."""
        api = self.client.api
        identity = self.container(
            _proxy_name(self.name),
            proxy_tag(),
            PROXY,
            secrets.choice(USERS),
            proxy_link(self.name, subnet),
            command=proxy_command(mirrors, subnet),
        )
        api.connect_container_to_network(identity, "bridge")
        lifeline = Attached(api.attach_socket(identity, LIFELINE))
        self.undo.callback(lifeline.close)
        api.start(identity)
        return lifeline

    def container(
        self,
        name: str,
        image: str,
        confinement: Confinement,
        uid: int,
        link: Link,
        command: list[str] | None = None,
    ) -> str:
        """A container that ends with its standard input, not yet started."""
        api = self.client.api
        self.undo.callback(remove_container, self.client, name)
        endpoints: Any = {link.mode: api.create_endpoint_config(ipv4_address=link.address)}
        made = api.create_container(
            image,
            command,
            name=name,
            hostname="sandbox",
            user=f"{uid}:{uid}",
            stdin_open=True,
            labels=self.labels,
            environment=dict(link.environment),
            network_disabled=link.mode == "none",
            networking_config=NetworkingConfig(endpoints) if link.address else None,
            host_config=api.create_host_config(
                network_mode=link.mode, **confinement.settings(uid), **link.host
            ),
        )
        return str(made["Id"])


def _proxy_name(name: str) -> str:
    return f"{name}-proxy"


class DockerSandbox(GuestSandbox):
    """One container, confined as its `confinement` says, with nothing of the host in it.

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
        mirrors: Mirrors | None = None,
        warm: Callable[[Confinement], Container | None] | None = None,
    ) -> None:
        super().__init__()
        self.confinement = confinement or Confinement()
        self.image = image or image_tag(self.confinement.profile)
        self.name = ""
        self._start = partial(
            start,
            self.confinement,
            installation=installation,
            run=run,
            image=self.image,
            mirrors=mirrors,
        )
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
        self._adopt(self._start())
        return self

    def _adopt(self, container: Container) -> None:
        self._container, self.name = container, container.name
        self.open(container.channel)

    def __exit__(self, *exc: object) -> None:
        container, self._container = self._container, None
        self.close()
        if container is not None:
            remove(container)


def remove_container(client: docker.DockerClient, name: str) -> None:
    """Remove a container whatever it is doing, and see it gone."""
    _until_gone(partial(client.api.remove_container, name, force=True, v=True), BEING_REMOVED)


def remove_network(client: docker.DockerClient, name: str) -> None:
    """Remove a network as soon as its containers have let go of it."""
    _until_gone(partial(client.api.remove_network, name), STILL_USED)


def _until_gone(remove: Callable[[], object], busy: str) -> None:
    """Ask until the engine says that there is no such thing; `busy` is what it says meanwhile."""
    deadline = time.monotonic() + RELEASE_SECONDS
    while True:
        try:
            remove()
        except NotFound:
            return
        except APIError as error:
            if busy not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
