"""`python -m agent doctor`: what is there, what is missing, how to mend it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from agent.cli.keeping import MISSING
from agent.errors import AgentError, ModelUnavailable, SandboxUnavailable
from agent.models.catalogue import Offer
from agent.models.choose import catalogue_from_environment
from agent.models.probe import look, probe
from agent.sandbox import Exited
from agent.sandbox.docker import DockerSandbox
from agent.sandbox.facts import engine_version, image_protocol, limits_enforced
from sandbox_image import PROTOCOL, image_tag

DISK_NEEDED = 5 << 30
MEND_LIMITS = (
    "Start the host's kernel with cgroup v2 (systemd.unified_cgroup_hierarchy=1), or with "
    "cgroup_enable=memory swapaccount=1; `docker info` ends with what it lacks."
)
MEND_MODEL = "Check OPENAI_BASE_URL, OPENAI_API_KEY and STUDIO_MODEL, or STUDIO_ENDPOINTS."


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's: `mend` is empty when all is well."""

    subject: str
    said: str
    mend: str = ""


def doctor(*, model: str | None = None, base_url: str | None = None) -> int:
    """Print a line for each thing that a run needs; the exit code."""
    console, healthy = Console(highlight=False), True
    for finding in examined(model, base_url):
        healthy = healthy and not finding.mend
        mark = Text("✗ ", style="red") if finding.mend else Text("✓ ", style="green")
        console.print(mark + Text(f"{finding.subject}: {finding.said}"))
        if finding.mend:
            console.print(Text(f"  → {finding.mend}"))
    return 0 if healthy else MISSING


def examined(model: str | None, base_url: str | None) -> Iterator[Finding]:
    """The findings, one after the other as they are made."""
    yield _examine("Engine", engine_version, "Run scripts/setup, or set DOCKER_HOST.")
    yield _examine("Limits", _limits, MEND_LIMITS)
    yield _examine("Image", _image, "Run scripts/build-image.")
    yield _examine("Sandbox", _sandbox, "Run scripts/build-image; then look at the engine's log.")
    yield from _models(model, base_url)
    free = shutil.disk_usage(Path.cwd()).free
    said = f"{free / 1e9:.1f} GB free here"
    yield Finding("Disk", said, "" if free > DISK_NEEDED else "Free at least 5 GB.")


def _examine(subject: str, look: Callable[[], str], mend: str) -> Finding:
    try:
        return Finding(subject, look())
    except AgentError as error:
        return Finding(subject, str(error), mend)


def _limits() -> str:
    limits = limits_enforced()
    if missing := [name for name, enforced in limits.items() if not enforced]:
        raise SandboxUnavailable(f"The engine cannot limit {', '.join(missing)}.")
    return f"{', '.join(limits)} can be limited"


def _image() -> str:
    spoken = image_protocol(image_tag())
    if spoken != PROTOCOL:
        raise SandboxUnavailable(f"{image_tag()} speaks protocol {spoken}, we {PROTOCOL}.")
    return f"{image_tag()}, protocol {spoken}"


def _sandbox() -> str:
    with DockerSandbox() as sandbox:
        ends = [item for item in sandbox.run("true", 10) if isinstance(item, Exited)]
    if not ends or ends[0].code != 0:
        raise SandboxUnavailable("It does not run `true`.")
    return "starts, runs a command and goes away"


def _models(name: str | None, base_url: str | None) -> Iterator[Finding]:
    """What is offered, the usual model first, and whether each answers."""
    try:
        catalogue = catalogue_from_environment(name=name, base_url=base_url)
    except ModelUnavailable as error:
        yield Finding("Model", str(error), MEND_MODEL)
        return
    usual = catalogue.usual
    if usual is None:
        yield Finding(
            "Model",
            "none connected: the built-in recipes answer. Set OPENAI_API_KEY and STUDIO_MODEL.",
        )
        return
    others = () if name else catalogue.offers
    for offer in dict.fromkeys((usual, *others)):
        yield _examine("Model", partial(_answers, offer), MEND_MODEL)


def _answers(offer: Offer) -> str:
    ask = look if offer.sees is None else probe
    found = ask(offer.model(sees=offer.sees is not False))
    if not found.works:
        raise ModelUnavailable(f"{offer.id}: {found.said}")
    sees = {None: "", True: " It sees pictures.", False: " It does not see pictures."}
    return f"{offer.id}: {found.said}{sees[found.sees]}"
