"""Which files wait for an inspection, who may do it, and what a crash leaves behind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from agent.events import Reason, RunEnded
from studio.accounts.models import User
from studio.artifacts.models import Version
from studio.celery import app as celery_app
from studio.inspections import claims, outcome, queue, recovery, tasks
from studio.inspections.models import Inspection, Preview, Role, State, Verdict
from studio.projects.models import Input
from studio.projects.requests import begin_project
from studio.runs import journal
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, kinds, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, settings) -> list[int]:
    """An item for each time that an inspector was told, of which there is one."""
    settings.INSPECTIONS = 1
    times: list[int] = []
    monkeypatch.setattr(tasks.inspect, "apply_async", lambda priority: times.append(priority))
    return times


def done(run: Run, **found: object) -> None:
    """Somebody has inspected the newest waiting file."""
    claim = claims.claim_next(run.project_id)
    assert claim is not None
    preview = Preview(role=Role.POSTER, digest="a" * 64, size=1)
    assert outcome.keep(claim, State.DONE, {"verdict": Verdict.PASSED, **found}, [preview])


def end(run: Run) -> None:
    run.refresh_from_db()
    assert run.claim is not None
    fact = RunEnded(reason=Reason.SUBMITTED, message="")
    journal.append(run.pk, fact, claim=run.claim)


def states() -> dict[str, str]:
    rows = Inspection.objects.values_list("version__artifact__path", "state")
    return dict(rows)


def test_a_saved_file_waits_and_the_inspectors_are_told(
    run: Run, told: list[int], django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        save(run, "poster.png", b"1")
    assert states() == {"poster.png": State.WAITING}
    assert len(told) == 1


def test_other_bytes_of_the_same_run_are_inspected_anew_and_the_same_are_not(run: Run) -> None:
    save(run, "poster.png", b"1")
    done(run)
    save(run, "poster.png", b"1")
    assert states() == {"poster.png": State.DONE}
    save(run, "poster.png", b"2")
    assert states() == {"poster.png": State.WAITING}
    assert not Preview.objects.exists()


def test_who_inspects_bytes_that_were_overwritten_meanwhile_writes_nothing(run: Run) -> None:
    save(run, "poster.png", b"1")
    claim = claims.claim_next(run.project_id)
    assert claim is not None
    save(run, "poster.png", b"2")
    assert not claims.renew(claim)
    assert not outcome.keep(claim, State.DONE, {"verdict": Verdict.FAILED}, [])
    assert states() == {"poster.png": State.WAITING}
    assert "artifact.inspected" not in kinds(run)


def test_what_was_found_in_the_same_bytes_before_is_known_at_once(run: Run) -> None:
    save(run, "poster.png", b"1")
    done(run, width=640, verdict=Verdict.WARNED)
    second = follow_up(run)
    save(second, "poster.png", b"2")
    third = follow_up(second)
    save(third, "poster.png", b"1")
    copy = Inspection.objects.get(version__run=third)
    assert (copy.state, copy.width, copy.verdict) == (State.DONE, 640, Verdict.WARNED)
    assert [preview.digest for preview in copy.previews.all()] == ["a" * 64]
    assert kinds(third) == ["artifact.saved", "artifact.inspected"]


def test_a_page_is_never_taken_for_known_because_files_beside_it_may_differ(run: Run) -> None:
    save(run, "index.html", b"1")
    done(run)
    save(follow_up(run), "index.html", b"1")
    assert list(Inspection.objects.values_list("state", flat=True).order_by("pk")) == [
        State.DONE,
        State.WAITING,
    ]


def test_a_page_seen_before_its_script_was_there_is_inspected_again_at_the_end(run: Run) -> None:
    save(run, "index.html", b"<script src=app.js></script>")
    done(run)
    save(run, "app.js", b"1")
    done(run)
    assert states()["index.html"] == State.DONE
    end(run)
    assert states() == {"index.html": State.WAITING, "app.js": State.DONE}
    # What was found at first is shown until then.
    assert Preview.objects.filter(inspection__version__artifact__path="index.html").exists()


def test_a_page_that_came_last_is_not_inspected_again(run: Run) -> None:
    save(run, "app.js", b"1")
    save(run, "index.html", b"<script src=app.js></script>")
    done(run)
    done(run)
    end(run)
    assert set(states().values()) == {State.DONE}


@pytest.mark.parametrize("draft", ["draft.mp4", "music.wav"])
def test_a_file_measured_by_the_request_is_measured_again_if_another_may_be_meant(
    run: Run, draft: str
) -> None:
    finding = {"level": "warn", "code": "wrong_seconds", "text": "too short", "values": {}}
    save(run, draft, b"1")
    done(run, findings=[finding])
    save(run, "final.mp4", b"2")
    done(run)
    end(run)
    assert states() == {draft: State.WAITING, "final.mp4": State.DONE}


def test_only_one_of_two_inspectors_gets_a_file(run: Run) -> None:
    save(run, "poster.png", b"1")
    assert claims.claim_next(run.project_id) is not None
    assert claims.claim_next(run.project_id) is None


def test_it_is_the_turn_of_who_has_the_fewest_files_in_work(run: Run, charlie: User) -> None:
    others = begin_project(charlie, "A map", [])
    save(run, "poster.png", b"1")
    for number in range(3):
        save(others, f"{number}.png", b"2")
    assert claims.next_project() == run.project_id
    claims.claim_next(run.project_id)
    save(run, "flyer.png", b"3")
    assert claims.next_project() == others.project_id
    claims.claim_next(others.project_id)
    assert claims.next_project() == run.project_id
    Inspection.objects.update(state=State.DONE)
    assert claims.next_project() is None


def test_the_newest_file_comes_first(run: Run) -> None:
    save(run, "first.png", b"1")
    save(run, "second.png", b"2")
    claim = claims.claim_next(run.project_id)
    assert claim is not None
    newest = Inspection.objects.get(pk=claim.inspection)
    assert newest.version is not None
    assert newest.version.artifact.path == "second.png"


def expire() -> None:
    Inspection.objects.update(lease_until=Now() - timedelta(seconds=1))


def test_a_file_whose_inspector_died_is_tried_three_times_and_then_given_up(
    run: Run, told: list[int]
) -> None:
    save(run, "poster.png", b"1")
    for _ in range(2):
        assert claims.claim_next(run.project_id) is not None
        recovery.recover()
        assert states() == {"poster.png": State.RUNNING}
        expire()
        recovery.recover()
        assert states() == {"poster.png": State.WAITING}
        assert told.pop()
    assert claims.claim_next(run.project_id) is not None
    expire()
    recovery.recover()
    inspection = Inspection.objects.get()
    assert (inspection.state, inspection.verdict) == (State.GIVEN_UP, Verdict.UNKNOWN)
    assert [finding["code"] for finding in inspection.findings] == ["inspection_broken"]
    assert run.events.get(kind="artifact.inspected").data["verdict"] == "unknown"


def test_a_dead_inspectors_claim_is_void_once_it_was_taken_back(run: Run, told: list[int]) -> None:
    save(run, "poster.png", b"1")
    claim = claims.claim_next(run.project_id)
    assert claim is not None
    expire()
    recovery.recover()
    assert not outcome.keep(claim, State.DONE, {"verdict": Verdict.PASSED}, [])


def test_a_lost_message_is_sent_again_but_not_every_few_seconds(run: Run, told: list[int]) -> None:
    save(run, "poster.png", b"1")
    recovery.recover()
    assert told == []
    expire()
    recovery.recover()
    recovery.recover()
    assert len(told) == 1


def test_what_was_found_is_told_after_the_run_has_ended_too(run: Run) -> None:
    save(run, "poster.png", b"1")
    end(run)
    assert queue.open_in(run) == 1
    done(run, verdict=Verdict.FAILED)
    assert kinds(run) == ["artifact.saved", "run.ended", "artifact.inspected"]
    run.refresh_from_db()
    assert (run.status, run.last_seq, queue.open_in(run)) == (Status.ENDED, 3, 0)
    digest = Version.objects.get().digest
    assert run.events.get(seq=3).data == {
        "path": "poster.png",
        "digest": digest,
        "verdict": "failed",
    }


def test_inspectors_are_told_in_a_queue_that_no_worker_takes() -> None:
    with celery_app.connection() as connection:
        queues = [connection.SimpleQueue(name) for name in ("inspections", "celery")]
        for waiting in queues:
            waiting.clear()
        tasks.send()
        assert [waiting.qsize() for waiting in queues] == [1, 0]
    # What a worker takes that is not told what to take.
    assert set(celery_app.amqp.queues.consume_from) == {"celery"}


def test_files_that_somebody_gives_wait_too(alices_browser, alice, tmp_path) -> None:
    with (tmp_path / "a.csv").open("w+b") as file:
        file.write(b"a,b\n")
        file.seek(0)
        alices_browser.post("/projects/new/", {"prompt": "A chart", "files": file})
    assert Inspection.objects.get().input == Input.objects.get()


def test_a_project_can_be_deleted_while_a_file_of_it_is_inspected(run: Run) -> None:
    save(run, "poster.png", b"1")
    claim = claims.claim_next(run.project_id)
    assert claim is not None
    run.project.delete()
    assert not outcome.keep(claim, State.DONE, {"verdict": Verdict.PASSED}, [])
