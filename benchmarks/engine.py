"""What the engine and the kernel know about sandboxes; the engine must be on this machine."""

from __future__ import annotations

import contextlib
import io
import os
import platform
import time
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from agent.sandbox.docker import INSTALLATION_LABEL, engine
from agent.sandbox.facts import engine_version
from benchmarks.boxes import INSTALLATION
from sandbox_image import image_tag

PROC, CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")
SHIM = "containerd-shim"
SETTLE_SECONDS = 10.0
Left = TypeVar("Left")


def machine() -> dict[str, str]:
    """The facts that absolute times depend on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "cores": str(os.cpu_count()),
        "memory": f"{memory / 1e9:.0f} GB",
        "kernel": platform.release().partition("-")[0],
        "engine": engine_version(),
        "cgroups": "v2" if (CGROUPS / "cgroup.controllers").exists() else "v1",
        "python": platform.python_version(),
    }


def image_bytes() -> int:
    """The size of the image that sandboxes run."""
    with engine() as client:
        return int(client.images.get(image_tag()).attrs["Size"])


@contextlib.contextmanager
def plain_image() -> Iterator[str]:
    """The image without its guest and as root, for programs that bring their own; then removed."""
    tag = f"{INSTALLATION}:plain"
    recipe = f"FROM {image_tag()}\nENTRYPOINT []\nUSER 0\n"
    with engine() as client:
        client.images.build(fileobj=io.BytesIO(recipe.encode()), tag=tag, rm=True)
        try:
            yield tag
        finally:
            client.images.remove(tag, force=True)


def memory_bytes(name: str) -> int:
    """What the kernel charges a container with, its page cache included."""
    with engine() as client:
        pid = client.containers.get(name).attrs["State"]["Pid"]
    lines = (PROC / str(pid) / "cgroup").read_text().splitlines()
    paths = {controllers: path for _, controllers, path in (line.split(":", 2) for line in lines)}
    if path := paths.get("memory"):
        return int((CGROUPS / "memory" / path[1:] / "memory.usage_in_bytes").read_text())
    return int((CGROUPS / paths[""][1:] / "memory.current").read_text())


def engine_bytes(names: Collection[str]) -> int:
    """The proportional set size of the engine's own processes, and of these containers' shims."""
    with engine() as client:
        ids = {client.containers.get(name).id for name in names}
    total = 0
    for pid, words in processes():
        program = Path(words[0]).name
        if program in {"dockerd", "containerd"} or (
            program.startswith(SHIM) and not ids.isdisjoint(words)
        ):
            rollup = (PROC / str(pid) / "smaps_rollup").read_text()
            total += sum(
                int(line.split()[1]) * 1024
                for line in rollup.splitlines()
                if line.startswith("Pss:")
            )
    return total


def processes() -> Iterator[tuple[int, list[str]]]:
    """The number and the command line of every process."""
    for folder in PROC.glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text(errors="replace").split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        yield int(folder.name), words


def belongings() -> set[str]:
    """Everything on the engine that our sandboxes may have left, by kind and name.

    Containers are those of the benchmarks; networks and volumes also those without a label,
    because the engine makes some by itself; shims those whose container is gone.
    """
    # The shims first: one whose container starts in between is not taken for an orphan.
    shims = {
        words[words.index("-id") + 1]
        for _, words in processes()
        if Path(words[0]).name.startswith(SHIM) and "-id" in words
    }
    with engine() as client:
        containers = client.api.containers(all=True)
        networks = client.api.networks()
        volumes = client.api.volumes()["Volumes"] or []
    ours = [item for item in containers if item["Labels"].get(INSTALLATION_LABEL) == INSTALLATION]
    return {
        *(f"container {item['Names'][0]}" for item in ours),
        *(f"network {item['Name']}" for item in networks if _unclaimed(item["Labels"])),
        *(f"volume {item['Name']}" for item in volumes if _unclaimed(item["Labels"])),
        *(f"shim {container}" for container in shims - {item["Id"] for item in containers}),
    }


def _unclaimed(labels: dict[str, str] | None) -> bool:
    return (labels or {}).get(INSTALLATION_LABEL, INSTALLATION) == INSTALLATION


def left_since(before: set[str]) -> set[str]:
    """What came to the engine after `before` and does not go by itself."""
    return settled(lambda: belongings() - before)


def settled(look: Callable[[], Left]) -> Left:
    """What `look` still finds once what goes by itself has had the time to."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while (left := look()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left
