"""What the request behind a file asks for, if it can only be about this file."""

from __future__ import annotations

from typing import Any

from agent.expected import expected
from studio.artifacts.models import Version


def asked(version: Version) -> dict[str, Any]:
    """The JSON of `inspect --asked`; empty if nothing is asked for.

    Of several files of a kind nobody knows which one the request is about.
    """
    run = version.run
    if run is None:
        return {}
    alike = run.versions.filter(artifact__kind=version.artifact.kind, artifact__removed=False)
    return {} if alike.count() > 1 else expected(run.prompt).data()
