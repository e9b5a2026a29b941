"""What the container engine says of itself, for people who look after it."""

from __future__ import annotations

from agent.sandbox.docker import LABEL, engine


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


def limits_enforced() -> dict[str, bool]:
    """Each thing that a confinement limits, and whether this engine on its kernel can.

    Raises:
        SandboxUnavailable: no engine answers.
    """
    with engine() as client:
        info = client.info()
    security = [option.split(",")[0] for option in info.get("SecurityOptions") or ()]
    limits = {
        "memory": "MemoryLimit",
        "swap": "SwapLimit",
        "processes": "PidsLimit",
        "CPU": "CpuCfsQuota",
    }
    return {
        "system calls": "name=seccomp" in security,
        **{name: bool(info.get(field)) for name, field in limits.items()},
    }
