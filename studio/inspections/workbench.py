"""A sandbox without a network for looking into a project's files, never that of a run.

Whatever happens to be in a file can do no more than spoil this sandbox: who meets an error with
it goes on in another one.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from django.conf import settings

from agent.errors import SandboxUnavailable, ToolError
from agent.sandbox import OUTPUT, Exited, Sandbox
from agent.sandbox.confinement import WORKSPACE, Confinement
from agent.sandbox.docker import DockerSandbox
from studio.artifacts.models import Artifact
from studio.media import store

MEMORY = 2 << 30
# What lies beside a page and the like, so that it finds what it refers to.
BESIDE_BYTES = 200 << 20
NAME_BYTES, PATH_BYTES = 255, 1000
CLEAN_SECONDS = 20.0
# Where tools leave what they have to tell: out of the way of the project's files.
RESULTS = f"{WORKSPACE}/.results"


def bench() -> Sandbox:
    """A sandbox of the image that runs use, with no network and no more than half its memory."""
    memory = min(MEMORY, settings.SANDBOX_MEMORY)
    confinement = Confinement(
        memory=memory, workspace=memory // 2, cpus=min(2.0, settings.SANDBOX_CPUS)
    )
    # No run's: the reaper lets it be for an hour, and it ends with the process that has it.
    return DockerSandbox(confinement, installation=settings.INSTALLATION)


def room(sandbox: Sandbox) -> int:
    """The most bytes that one file may have: what is made of it needs room, too."""
    return sandbox.confinement.workspace // 2


def clean(sandbox: Sandbox) -> None:
    """Leave nothing of the last file for the next one.

    Raises:
        SandboxUnavailable: it can't be made clean.
    """
    command = f"cd {WORKSPACE} && mkdir -p {RESULTS} && find {OUTPUT} {RESULTS} -mindepth 1 -delete"
    if carry_out(sandbox, command, CLEAN_SECONDS).code:
        raise SandboxUnavailable("The sandbox can't be made clean.")
    # Nobody reads what the guest tells of these files.
    sandbox.notices()


def carry_out(sandbox: Sandbox, command: str, seconds: float) -> Exited:
    """Run a command whose output nobody needs."""
    exited = [item for item in sandbox.run(command, seconds) if isinstance(item, Exited)]
    return exited[-1]


def put(sandbox: Sandbox, path: str, digest: str) -> str:
    """Lay a file where it would be in a run's output folder; return where that is.

    Raises:
        ToolError: it does not fit.
        FileNotFoundError: its bytes are gone.
    """
    target = place(path)
    sandbox.write(target, store().open(digest))
    return target


def put_beside(sandbox: Sandbox, artifact: Artifact) -> None:
    """Lay the project's other files there, too, as they are now and as far as there is room."""
    left = min(BESIDE_BYTES, sandbox.confinement.workspace // 4)
    taken = place(artifact.path)
    for other in artifact.project.artifacts.shown().exclude(pk=artifact.pk):
        if other.latest is None or other.size > left or place(other.path) == taken:
            continue
        left -= other.size
        try:
            put(sandbox, other.path, other.latest.digest)
        except (ToolError, FileNotFoundError):
            continue  # The page is then told of as one that misses it.


def place(path: str) -> str:
    """Where a file of that label goes. Names that lead elsewhere or are too long are replaced."""
    parts = path.split("/")
    plain = all(
        part.strip(".") and "\0" not in part and len(part.encode(errors="replace")) <= NAME_BYTES
        for part in parts
    )
    if not plain or len(path.encode(errors="replace")) > PATH_BYTES:
        ending = PurePosixPath(parts[-1]).suffix
        known = ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 10
        return f"{OUTPUT}/file{ending if known else ''}"
    return f"{OUTPUT}/{path}"
