from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from celery.contrib.testing.worker import start_worker
from celery.signals import task_postrun
from django.db import connection
from django.utils import timezone

from agent.models.choose import model_from_environment
from agent.models.openai import OpenAIModel
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, submit
from studio import queues
from studio.accounts.models import User
from studio.artifacts import restoring
from studio.celery import app as celery_app
from studio.media import store
from studio.projects.models import Input
from studio.projects.requests import begin_project, begin_run
from studio.runs import claims, reaper, stopping, tasks, worker
from studio.runs.models import Run, Status
from tests.studio.conftest import kinds, save, use_broker
from tests.studio.runs.test_claims import expire

pytestmark = pytest.mark.django_db(transaction=True)

real_sandbox = worker.sandbox
MAKE_A_POSTER = [bash("echo hello > output/poster.txt"), submit("Here it is.")]


class Endless(MemorySandbox):
    """A command in it goes on until it is interrupted; `busy` is set once it goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.busy = threading.Event()

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        while True:
            self.busy.set()
            yield None


def started(run: Run) -> threading.Thread:
    """A worker's thread that executes the run."""

    def execute() -> None:
        worker.execute(run.pk)
        connection.close()

    thread = threading.Thread(target=execute)
    thread.start()
    return thread


def delivered() -> list[str]:
    """The ids that wait in the broker; they are taken out of it."""
    found = []
    with celery_app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
        while queue.qsize():
            message = queue.get()
            message.ack()
            found.append(message.payload[0][0])
    return found


def ended(run: Run) -> tuple[str, str]:
    run.refresh_from_db()
    assert run.status == Status.ENDED
    return run.reason, run.message


def test_a_run_ends_with_its_file_in_the_gallery(run: Run, script) -> None:
    script(MAKE_A_POSTER)
    tasks.execute(str(run.pk))
    assert ended(run)[0] == "submitted"
    assert run.summary == "Here it is."
    artifact = run.project.artifacts.get()
    assert (artifact.path, artifact.size) == ("poster.txt", 6)
    assert b"".join(store().open(artifact.latest.digest)) == b"hello\n"
    told = kinds(run)
    assert (told[0], told[-2:]) == ("run.started", ["workspace.saved", "run.ended"])


def test_a_task_delivered_three_times_runs_once(run: Run, script) -> None:
    model = script(MAKE_A_POSTER)
    for _ in range(3):
        tasks.execute(str(run.pk))
    assert len(model.asked) == 2
    assert kinds(run).count("run.started") == 1


def test_a_message_that_the_real_broker_delivers_three_times_runs_once(
    run: Run, script, redis_url: str, monkeypatch
) -> None:
    use_broker(monkeypatch, redis_url.replace("unix://", "redis+socket://"))
    model = script(MAKE_A_POSTER)
    for _ in range(3):
        tasks.send(run)
    ended_tasks = threading.Semaphore(0)

    def count(sender, **kwargs) -> None:
        ended_tasks.release()

    task_postrun.connect(count)
    with start_worker(celery_app, pool="threads", concurrency=3, perform_ping_check=False):
        for _ in range(3):
            assert ended_tasks.acquire(timeout=30)
    assert ended(run)[0] == "submitted"
    assert len(model.asked) == 2
    assert kinds(run).count("run.started") == 1


def test_a_follow_up_goes_on_where_the_last_run_stopped(run: Run, script) -> None:
    script(MAKE_A_POSTER)
    worker.execute(run.pk)
    model = script([bash("cat output/poster.txt"), submit("Read it.")])
    follow_up = begin_run(run.project, "What does it say?")
    worker.execute(follow_up.pk)
    output = follow_up.events.get(kind="tool.finished", data__exit_code=0).data["output"]
    assert "hello" in output
    told = "\n".join(message.text for message in model.asked[0])
    assert "summer party" in told
    assert "Here it is." in told
    assert "poster.txt" in told
    assert follow_up.number == 2


def test_a_follow_up_finds_what_the_owner_brought_back(run: Run, script) -> None:
    script(MAKE_A_POSTER)
    worker.execute(run.pk)
    script([bash("rm output/poster.txt"), submit("ok")])
    worker.execute(begin_run(run.project, "Better").pk)
    assert run.project.artifacts.get().removed
    restoring.restore(run.versions.get())
    model = script([bash("cat output/poster.txt"), submit("Read it.")])
    last = begin_run(run.project, "What does it say?")
    worker.execute(last.pk)
    assert "hello" in last.events.get(kind="tool.finished", data__exit_code=0).data["output"]
    assert "chose the versions of these files" in model.asked[0][-1].text
    assert not last.versions.exists()
    assert run.project.artifacts.shown().get().version_number == 2


def test_the_users_files_are_in_the_input_folder(run: Run, script) -> None:
    blob = store().put([b"a,b\n"])
    Input.objects.create(project=run.project, name="数据.csv", digest=blob.digest, size=blob.size)
    script([bash("cat input/数据.csv"), submit("ok")])
    worker.execute(run.pk)
    assert run.events.get(kind="run.started").data["inputs"] == ["数据.csv"]
    assert "a,b" in run.events.filter(kind="tool.finished").first().data["output"]


def test_stop_ends_a_run_in_the_middle_of_a_command(run: Run, script, monkeypatch) -> None:
    monkeypatch.setattr(claims, "BEAT", 0.01)
    sandbox = Endless()
    script([bash("yes")], sandbox)
    thread = started(run)
    assert sandbox.busy.wait(30)
    stopping.stop(run)
    thread.join(30)
    assert ended(run)[0] == "stopped"
    assert not sandbox.running


def test_stop_ends_a_waiting_run_at_once(run: Run) -> None:
    stopping.stop(run)
    assert ended(run) == ("stopped", "Stopped before it began.")
    assert kinds(run) == ["run.ended"]
    assert claims.claim(run.pk) is None


def test_a_worker_that_must_go_ends_its_runs_as_interrupted(run: Run, script, monkeypatch) -> None:
    monkeypatch.setattr(worker, "running", worker.Running())
    sandbox = Endless()
    script([bash("yes")], sandbox)
    thread = started(run)
    assert sandbox.busy.wait(30)
    tasks.end_runs()
    thread.join(30)
    assert ended(run)[0] == "interrupted"
    assert not sandbox.running


def test_a_worker_that_goes_leaves_waiting_runs_to_others(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(worker, "running", worker.Running())
    tasks.end_runs()
    worker.execute(run.pk)
    run.refresh_from_db()
    assert run.status == Status.QUEUED


def test_a_bug_ends_the_run_with_a_plain_message_and_a_traceback_in_the_log(
    run: Run, script, caplog
) -> None:
    script([ZeroDivisionError("secret detail")])
    worker.execute(run.pk)
    reason, message = ended(run)
    assert (reason, message) == ("crashed", "The studio has a fault; see the worker's log.")
    assert "ZeroDivisionError: secret detail" in caplog.text
    assert all("secret detail" not in str(event.data) for event in run.events.all())


def test_an_engine_that_is_not_there_is_said_in_the_run(run: Run, script, monkeypatch) -> None:
    script(MAKE_A_POSTER)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    monkeypatch.setattr(worker, "sandbox", real_sandbox)
    worker.execute(run.pk)
    reason, message = ended(run)
    assert reason == "sandbox_unavailable"
    assert "engine" in message


def test_a_model_named_only_half_is_said_in_the_run(run: Run, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-key")
    monkeypatch.delenv("STUDIO_MODEL", raising=False)
    monkeypatch.setattr(worker, "model", lambda run: model_from_environment())
    worker.execute(run.pk)
    reason, message = ended(run)
    assert reason == "model_unavailable"
    assert "STUDIO_MODEL" in message


def test_the_models_key_is_in_no_event_and_no_log(run: Run, monkeypatch, caplog) -> None:
    caplog.set_level("DEBUG")
    refusal = (401, {"error": {"message": "Incorrect API key provided: canary-key"}})
    with ScriptedEndpoint([refusal] * 5) as endpoint:
        model = OpenAIModel("m", api_key="canary-key", base_url=endpoint.base_url)
        monkeypatch.setattr(worker, "model", lambda run: model)
        monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())
        worker.execute(run.pk)
    assert endpoint.keys[0] == "canary-key"
    assert ended(run)[0] == "model_unavailable"
    assert "canary-key" not in caplog.text
    assert "canary-key" not in str(list(run.events.values())) + run.message


def test_a_worker_that_lost_its_claim_writes_no_more(run: Run, script, caplog) -> None:
    class Robbed(MemorySandbox):
        def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
            Run.objects.filter(pk=run.pk).update(claim=uuid.uuid4())
            yield Exited(0)

    sandbox = Robbed()
    script(MAKE_A_POSTER, sandbox)
    worker.execute(run.pk)
    assert kinds(run)[-1] == "tool.started"
    assert not sandbox.running
    run.refresh_from_db()
    assert run.status == Status.RUNNING


def test_an_abandoned_run_ends_as_interrupted_and_keeps_its_files(run: Run) -> None:
    save(run, "half.txt", b"1")
    expire(run)
    reaper.end_abandoned()
    assert ended(run) == ("interrupted", "The worker is gone.")
    assert run.project.artifacts.shown().get().path == "half.txt"
    assert kinds(run) == ["artifact.saved", "run.ended"]


def test_a_run_whose_worker_lives_is_not_reaped(run: Run) -> None:
    claims.claim(run.pk)
    reaper.end_abandoned()
    run.refresh_from_db()
    assert run.status == Status.RUNNING


def test_a_run_that_the_broker_lost_is_offered_again(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(sent=timezone.now() - timedelta(seconds=61))
    assert delivered()[-1] == str(run.pk)
    reaper.send_again()
    reaper.send_again()
    assert delivered() == [str(run.pk)]


def test_what_the_reaper_can_not_do_keeps_it_from_nothing_else(
    run: Run, monkeypatch, caplog
) -> None:
    def broken() -> None:
        raise RuntimeError("This run can't be ended.")

    monkeypatch.setattr(reaper, "end_abandoned", broken)
    delivered()
    Run.objects.filter(pk=run.pk).update(sent=None)
    reaper.reap()
    assert delivered() == [str(run.pk)]
    assert "This run can't be ended." in caplog.text


def test_the_reaper_waits_behind_no_run() -> None:
    queue = celery_app.amqp.router.route({}, "studio.runs.tasks.reap")["queue"].name
    assert queue == queues.MESSAGES


@pytest.mark.slow
def test_a_broker_that_is_away_does_not_lose_the_request(alice: User, monkeypatch) -> None:
    use_broker(monkeypatch, "redis+socket:///nowhere/valkey.sock")
    run = begin_project(alice, "A map", [])
    run.refresh_from_db()
    assert (run.status, run.sent) == (Status.QUEUED, None)
