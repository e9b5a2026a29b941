"""The sandboxes that runs get: as confined as the operator says, and some of them ready."""

from __future__ import annotations

import logging
from functools import partial
from typing import cast

from django.conf import settings

from agent.errors import SandboxUnavailable
from agent.sandbox import Sandbox, orphans
from agent.sandbox.confinement import Confinement
from agent.sandbox.confinement import Network as Reach
from agent.sandbox.docker import Container, DockerSandbox, start
from agent.sandbox.mirrors import Mirrors, machine_mirrors
from agent.sandbox.pool import Pool
from sandbox_image import Profile
from studio.projects import networks
from studio.runs.models import ACTIVE, Run

logger = logging.getLogger(__name__)


def confinement(network: str) -> Confinement:
    """What the sandbox of a project has that wants this network; all else is the operator's."""
    return Confinement(
        profile=cast(Profile, settings.SANDBOX_PROFILE),
        network=cast(Reach, networks.effective(network).value),
        memory=settings.SANDBOX_MEMORY,
        workspace=settings.SANDBOX_DISK,
        cpus=settings.SANDBOX_CPUS,
    )


def mirrors(network: Reach) -> Mirrors | None:
    """The package indexes that the operator names, and for the other tools this machine's own.

    None where no network leads to them.

    Raises:
        ValueError: a sandbox could not or must not use one of them.
    """
    if network == "none":
        return None
    own = machine_mirrors()
    return Mirrors(
        pip=settings.MIRROR_PIP or own.pip,
        npm=settings.MIRROR_NPM or own.npm,
        apt=settings.MIRROR_APT or own.apt,
        # The machine's hosts are where the files of its own pip index are.
        hosts=(*(() if settings.MIRROR_PIP else own.hosts), *settings.MIRROR_HOSTS),
    )


class Warm:
    """The sandboxes that wait in this process; there are none unless it is open."""

    def __init__(self) -> None:
        self._pool: Pool | None = None

    def open(self) -> None:
        """Make as many ready as the operator wants, with the network that new projects have."""
        if settings.WARM_SANDBOXES:
            usual = confinement(networks.usual())
            begin = partial(
                start, installation=settings.INSTALLATION, mirrors=mirrors(usual.network)
            )
            self._pool = Pool(begin, usual, settings.WARM_SANDBOXES).__enter__()

    def close(self) -> None:
        """Remove those that wait; from now on each run starts its own."""
        pool, self._pool = self._pool, None
        if pool:
            pool.__exit__(None, None, None)

    def take(self, confinement: Confinement) -> Container | None:
        pool = self._pool
        return pool.take(confinement) if pool else None


warm = Warm()


def sandbox(run: str, network: str) -> Sandbox:
    """A sandbox for a run of a project that wants this network, not started yet."""
    wanted = confinement(network)
    return DockerSandbox(
        wanted,
        installation=settings.INSTALLATION,
        run=run,
        mirrors=mirrors(wanted.network),
        warm=warm.take,
    )


def remove_orphans() -> None:
    """Those of this installation whose run is over; the ones that wait for a run stay."""
    try:
        removed = orphans.reap(settings.INSTALLATION, in_use)
    except SandboxUnavailable as error:
        logger.warning("Orphaned sandboxes can't be looked for: %s", error)
        return
    if removed:
        logger.warning("Removed %d orphaned sandboxes", removed)


def in_use() -> set[str]:
    """The active runs, which label their sandboxes, and the names of sandboxes that were ready.

    A queued run counts as active: it may start any moment. A paused one has no sandbox.
    """
    active = Run.objects.filter(status__in=ACTIVE).values_list("pk", "sandbox")
    return {name for run_id, sandbox in active for name in (str(run_id), sandbox) if name}
