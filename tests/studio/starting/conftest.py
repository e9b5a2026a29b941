"""Results of starting points without a worker: a run that ends as a test says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.events import Reason, RunEnded
from studio.inspections.models import Inspection, Preview, Role, State
from studio.runs import claims, journal
from studio.starting import making
from studio.starting.catalogue import Point, point
from studio.starting.models import Result
from tests.studio.conftest import save


def piano() -> Point:
    found = point("en", "piano")
    assert found
    return found


def end(result: Result, *files: str, reason: Reason = Reason.SUBMITTED) -> None:
    """Its run makes these files and ends."""
    run = result.project.runs.get()
    token = claims.claim(run.pk)
    assert token
    for name in files:
        digest = save(run, name, name.encode())
        found = Inspection.objects.get(version__run=run, version__digest=digest)
        Preview.objects.create(inspection=found, role=Role.POSTER, digest=digest, size=1)
        Inspection.objects.filter(pk=found.pk).update(state=State.DONE, width=800, height=600)
    journal.append(run.pk, RunEnded(reason=reason, message=""), claim=token)


@pytest.fixture
def made(db) -> Callable[..., Result]:
    """A result of a point, with these files."""

    def make(of: Point, *files: str) -> Result:
        assert making.begin(of)
        result = Result.objects.get(point=of.key)
        end(result, *files)
        return result

    return make
