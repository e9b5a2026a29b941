"""What the request behind a file asks for, if it can only be about this file."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from studio.artifacts.models import Version


def asked(version: Version) -> dict[str, Any]:
    """The JSON of `inspect --asked`; empty if nothing is asked for.

    Of several files of a kind nobody knows which one the request is about.
    """
    run = version.run
    if run is None:
        return {}
    alike = run.versions.filter(artifact__kind=version.artifact.kind, artifact__removed=False)
    return {} if alike.count() > 1 else _expected(run.prompt)


def _expected(prompt: str) -> dict[str, Any]:
    if find_spec("agent.expected") is None:
        return {}
    from agent import expected  # type: ignore[attr-defined]

    found: Callable[..., Any] = expected.expected
    return found(prompt).data()
