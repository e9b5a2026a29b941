"""A run that has spent what it may: it waits, goes on as the same run, or is left."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from agent.events import Reason, Resources, RunPaused, RunResumed, Usage
from agent.models import Reply
from agent.testing import bash, submit
from studio.media import store
from studio.projects.requests import begin_run
from studio.runs import claims, feed, journal, pausing, reaper, sandboxes, stopping, worker
from studio.runs.models import Run, Status
from tests.studio.artifacts.test_sweep import sweep_in
from tests.studio.conftest import kinds
from tests.studio.runs.test_claims import expire
from tests.studio.runs.test_worker import delivered, ended

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = [
    Reply(calls=bash("echo one > output/one.txt").calls, usage=Usage(100, 10, 80, 0.5)),
    bash("echo two > notes.txt"),
]
PAUSED = RunPaused(reason=Reason.TURN_LIMIT, message="All 2 turns are used up.", turns=2)


@pytest.fixture
def paused(run: Run, script, settings) -> Run:
    """Alice's run after the two turns that it may have."""
    settings.RUN_TURNS = 2
    script(FIRST)
    worker.execute(run.pk)
    delivered()
    run.refresh_from_db()
    return run


def at_once(*acts: Callable[[], object]) -> None:
    def act(do: Callable[[], object]) -> None:
        try:
            do()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        list(threads.map(act, acts))


def pause(run: Run, fact: RunPaused = PAUSED) -> None:
    """Claim a run and let it pause at once."""
    token = claims.claim(run.pk)
    assert token is not None
    journal.append(run.pk, fact, claim=token)
    run.refresh_from_db()


def test_a_run_that_has_used_up_its_turns_pauses_with_its_files(paused: Run) -> None:
    assert (paused.status, paused.reason, paused.turns) == (Status.PAUSED, "turn_limit", 2)
    assert (paused.claim, paused.lease_until, paused.started) == (None, None, None)
    assert kinds(paused)[-2:] == ["workspace.saved", "run.paused"]
    assert paused.project.artifacts.shown().get().path == "one.txt"


def test_it_goes_on_as_the_same_run_with_its_workspace_and_what_was_said(
    paused: Run, script
) -> None:
    pausing.go_on(paused)
    assert delivered() == [str(paused.pk)]
    model = script([bash("cat notes.txt"), submit("Both are there.")])
    worker.execute(paused.pk)
    assert ended(paused) == ("submitted", "")
    told = kinds(paused)
    assert told.count("run.started") == told.count("run.resumed") == 1
    resumed = paused.events.get(kind="run.resumed").seq
    later = paused.events.filter(kind="tool.finished", seq__gt=resumed)
    assert "two" in later[0].data["output"]
    assert "echo two > notes.txt" in "\n".join(str(message) for message in model.asked[0])
    assert (paused.turns, paused.project.runs.count()) == (4, 1)


def test_each_time_it_may_take_as_much_again(paused: Run, settings) -> None:
    settings.RUN_SECONDS, settings.RUN_TOKENS, settings.RUN_COST = 60, 1000, 2
    earlier = worker.earlier(paused)
    limits = worker.limits(earlier)
    end = earlier[-1]
    assert isinstance(end, RunPaused)
    assert (limits.turns, limits.tokens, limits.cost) == (2 + 2, 110 + 1000, 0.5 + 2)
    assert limits.seconds == end.seconds + 60
    assert worker.limits([]).tokens == 1000


def test_it_can_pause_again(paused: Run, script) -> None:
    pausing.go_on(paused)
    script([bash("true"), bash("false")])
    worker.execute(paused.pk)
    paused.refresh_from_db()
    assert (paused.status, paused.turns) == (Status.PAUSED, 4)
    assert kinds(paused).count("run.paused") == 2


def test_who_says_go_on_often_gets_it_once(paused: Run, script) -> None:
    at_once(*[lambda: pausing.go_on(paused)] * 8)
    assert delivered() == [str(paused.pk)]
    model = script([submit("Done.")])
    at_once(*[lambda: worker.execute(paused.pk)] * 3)
    assert len(model.asked) == 1
    assert kinds(paused).count("run.resumed") == 1


def test_go_on_and_stop_at_once_end_it_once(run: Run) -> None:
    pause(run)
    for _ in range(10):
        Run.objects.filter(pk=run.pk).update(
            status=Status.PAUSED, reason="turn_limit", claim=None, stop_requested=False
        )
        at_once(lambda: pausing.go_on(run), lambda: stopping.stop(run))
        run.refresh_from_db()
        assert run.status == Status.ENDED
    assert kinds(run) == ["run.paused", *["run.ended"] * 10]


def test_stop_ends_it_for_the_reason_that_it_paused_for(paused: Run) -> None:
    stopping.stop(paused)
    assert ended(paused)[0] == "turn_limit"
    data = paused.events.get(kind="run.ended").data
    assert (data["turns"], data["usage"]["cached"], data["usage"]["cost"]) == (2, 80, 0.5)
    pausing.go_on(paused)
    assert ended(paused)[0] == "turn_limit"
    assert delivered() == []


def test_stop_ends_one_that_waits_to_go_on(paused: Run) -> None:
    pausing.go_on(paused)
    stopping.stop(paused)
    assert ended(paused)[0] == "stopped"
    assert claims.claim(paused.pk) is None


def test_who_has_pressed_stop_meanwhile_is_not_asked(run: Run) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    stopping.stop(run)
    journal.append(run.pk, PAUSED, claim=token)
    assert ended(run)[0] == "stopped"
    assert kinds(run) == ["run.ended"]


def test_a_new_request_leaves_it_and_has_its_workspace(paused: Run, script) -> None:
    follow_up = begin_run(paused.project, "What is in the notes?")
    assert ended(paused)[0] == "turn_limit"
    script([bash("cat notes.txt"), submit("Two.")])
    worker.execute(follow_up.pk)
    assert "two" in follow_up.events.filter(kind="tool.finished")[0].data["output"]


def test_a_worker_killed_after_a_pause_leaves_it_interrupted(paused: Run) -> None:
    pausing.go_on(paused)
    token = claims.claim(paused.pk)
    assert token is not None
    journal.append(paused.pk, RunResumed(model="scripted"), claim=token)
    expire(paused)
    reaper.end_abandoned()
    assert ended(paused)[0] == "interrupted"
    assert kinds(paused)[-3:] == ["run.paused", "run.resumed", "run.ended"]
    assert paused.project.artifacts.shown().get().path == "one.txt"


def test_one_that_breaks_whenever_it_goes_on_is_tried_once(paused: Run, script) -> None:
    script([ZeroDivisionError("again")])
    pausing.go_on(paused)
    for _ in range(3):
        worker.execute(paused.pk)
    reaper.send_again()
    assert ended(paused)[0] == "crashed"
    assert kinds(paused).count("run.resumed") == 1


def test_while_it_waits_nothing_is_held_or_sent_for_it(paused: Run) -> None:
    reaper.end_abandoned()
    reaper.end_unanswered()
    reaper.send_again()
    paused.refresh_from_db()
    assert paused.status == Status.PAUSED
    assert sandboxes.in_use() == set()
    assert delivered() == []


def test_after_a_week_without_an_answer_it_is_left(paused: Run) -> None:
    Run.objects.filter(pk=paused.pk).update(paused=timezone.now() - timedelta(days=7, minutes=1))
    reaper.end_unanswered()
    assert ended(paused)[0] == "turn_limit"


def test_its_workspace_is_kept_from_the_sweep(paused: Run) -> None:
    assert sweep_in(2) + sweep_in(2) == 0
    assert store().path(paused.workspace)


def test_what_its_sandboxes_used_is_added_up(run: Run) -> None:
    used = Resources(cpu_seconds=1.5, peak_memory=9, disk=5, bytes_in=1, bytes_out=2)
    pause(run, RunPaused(reason=Reason.TURN_LIMIT, message="", resources=used, seconds=30))
    pausing.go_on(run)
    used = Resources(cpu_seconds=2, peak_memory=7, disk=6, bytes_in=3, bytes_out=4)
    pause(run, RunPaused(reason=Reason.TURN_LIMIT, message="", resources=used, seconds=70))
    stopping.stop(run)
    ended(run)
    assert run.resources == {
        "cpu_seconds": 3.5, "peak_memory": 9, "disk": 6, "bytes_in": 4, "bytes_out": 6
    }  # fmt: skip
    assert run.worked == timedelta(seconds=70)


def test_the_page_is_told_what_is_asked(paused: Run) -> None:
    state = feed.state(paused)
    assert state["status"] == "paused"
    assert state["pause"] == {
        "question": "All turns of this run are used up.",
        "allowance": "Going on allows up to 2 turns and 30 min more.",
    }
    assert state["facts"][:4] == ["scripted", "2 turns", "110 tokens (80 cached)", "$0.50"]
    pausing.go_on(paused)
    paused.refresh_from_db()
    assert feed.state(paused)["pause"] is None


def test_go_on_is_answered_without_a_page_of_its_own(
    paused: Run, alices_browser: Client, charlies_browser: Client
) -> None:
    address = f"/runs/{paused.pk}/go-on/"
    assert charlies_browser.post(address).status_code == 404
    assert alices_browser.get(address).status_code == 405
    for _ in range(2):
        assert alices_browser.post(address).status_code == 204
    paused.refresh_from_db()
    assert paused.status == Status.QUEUED


def test_lists_of_projects_say_that_it_waits(paused: Run, alices_browser: Client) -> None:
    page = alices_browser.get("/projects/").content.decode()
    assert "Waits for your answer" in page
    assert "Working" not in page
