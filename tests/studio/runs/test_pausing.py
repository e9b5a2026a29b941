"""A run that has spent what it may: it waits, goes on as the same run, or is left."""

from __future__ import annotations

import pytest

from agent.testing import bash, submit
from studio.runs import pausing, worker
from studio.runs.models import Run, Status
from tests.studio.conftest import kinds
from tests.studio.runs.test_worker import delivered, ended

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = [bash("echo one > output/one.txt"), bash("echo two > notes.txt")]


@pytest.fixture
def paused(run: Run, script, settings) -> Run:
    """Alice's run after the two turns that it may have."""
    settings.RUN_TURNS = 2
    script(FIRST)
    worker.execute(run.pk)
    delivered()
    run.refresh_from_db()
    return run


def test_a_run_that_has_used_up_its_turns_pauses_with_its_files(paused: Run) -> None:
    assert (paused.status, paused.reason, paused.turns) == (Status.PAUSED, "turn_limit", 2)
    assert (paused.claim, paused.lease_until, paused.started) == (None, None, None)
    assert kinds(paused)[-2:] == ["workspace.saved", "run.paused"]
    assert paused.project.artifacts.shown().get().path == "one.txt"


def resumed(run: Run) -> int:
    """The number of the event that says that it goes on."""
    return run.events.get(kind="run.resumed").seq


def test_it_goes_on_as_the_same_run_with_its_workspace_and_what_was_said(
    paused: Run, script
) -> None:
    pausing.go_on(paused)
    assert delivered() == [str(paused.pk)]
    model = script([bash("cat notes.txt"), submit("Both are there.")])
    worker.execute(paused.pk)
    assert ended(paused) == ("submitted", "")
    assert kinds(paused).count("run.started") == kinds(paused).count("run.resumed") == 1
    later = paused.events.filter(kind="tool.finished", seq__gt=resumed(paused))
    assert "two" in later[0].data["output"]
    told = "\n".join(str(message) for message in model.asked[0])
    assert "echo two > notes.txt" in told
    assert (paused.turns, paused.project.runs.count()) == (4, 1)
