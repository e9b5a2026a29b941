"""The sandboxes of a worker: as the operator confines them, some of them ready, none left."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

import pytest
from celery import Celery
from celery.signals import worker_ready, worker_shutdown
from django.test import Client

from agent.events import Reason, RunEnded, SandboxReady
from agent.sandbox import docker, orphans
from agent.sandbox.confinement import Confinement
from agent.sandbox.mirrors import Mirrors
from agent.testing import ScriptedModel, bash, submit
from studio.celery import app
from studio.projects.models import Project
from studio.runs import claims, journal, sandboxes, worker
from studio.runs.models import Run
from tests.studio.conftest import follow_up
from tests.studio.runs.test_worker import MAKE_A_POSTER

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Consumer:
    """What a worker says it is when it is ready."""

    app: Celery


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def names(settings, engine):
    """The containers of this test's own installation; at the end there must be none."""
    settings.INSTALLATION = uuid.uuid4().hex[:12]
    label = f"{docker.INSTALLATION_LABEL}={settings.INSTALLATION}"

    def list_names() -> set[str]:
        found = engine.api.containers(all=True, filters={"label": label})
        return {item["Names"][0][1:] for item in found}

    yield list_names
    try:
        wait_for(lambda: not list_names())
    finally:
        orphans.reap(settings.INSTALLATION)


@pytest.fixture
def script(monkeypatch):
    """Make the worker use a scripted model."""

    def use(replies) -> None:
        model = ScriptedModel(replies)
        monkeypatch.setattr(worker, "model", lambda run: model)

    return use


@pytest.fixture
def warm(settings, monkeypatch) -> sandboxes.Warm:
    """Nothing is ready yet, and whatever will be is gone at the end."""
    settings.WARM_SANDBOXES = 1
    own = sandboxes.Warm()
    monkeypatch.setattr(sandboxes, "warm", own)
    with closing(own):
        yield own


def test_a_sandbox_has_what_the_operator_says_and_the_projects_network(settings, run: Run) -> None:
    settings.SANDBOX_PROFILE = "workshop"
    settings.SANDBOX_MEMORY, settings.SANDBOX_DISK, settings.SANDBOX_CPUS = 1 << 30, 1 << 29, 0.5
    settings.NETWORKS = ["none", "open"]
    run.project.network = "open"
    assert worker.sandbox(run).confinement == Confinement(
        profile="workshop", network="open", memory=1 << 30, workspace=1 << 29, cpus=0.5
    )
    settings.NETWORKS = ["none"]
    assert worker.sandbox(run).confinement.network == "none"


def test_named_mirrors_take_the_place_of_the_machines_own_with_their_hosts(
    run: Run, settings, monkeypatch
) -> None:
    own = Mirrors(pip="https://a.test/", npm="https://b.test/", hosts=("files.a.test",))
    monkeypatch.setattr(sandboxes, "machine_mirrors", lambda: own)
    assert sandboxes.mirrors("none") is None
    assert sandboxes.mirrors("packages") == own
    settings.MIRROR_APT = apt = "http://deb.test/debian"
    settings.MIRROR_HOSTS = ["files.b.test"]
    hosts = ("files.a.test", "files.b.test")
    assert sandboxes.mirrors("packages") == replace(own, apt=apt, hosts=hosts)
    settings.MIRROR_PIP = pip = "https://c.test/"
    hosts = ("files.b.test",)
    assert sandboxes.mirrors("open") == replace(own, pip=pip, apt=apt, hosts=hosts)
    settings.NETWORKS = ["open"]
    run.project.network = "open"
    assert worker.sandbox(run)._start.keywords["mirrors"] == sandboxes.mirrors("open")


def test_a_form_can_not_choose_what_is_the_operators(alices_browser: Client) -> None:
    fields = {"profile": "workshop", "image": "evil", "memory": "1T", "cpus": "64", "user": "root"}
    alices_browser.post("/projects/new/", {"prompt": "A map", **fields})
    sandbox = worker.sandbox(Project.objects.get().runs.get())
    assert sandbox.confinement == Confinement()
    assert sandbox.image == docker.image_tag()


@pytest.mark.engine
def test_nothing_waits_before_a_worker_is_ready_or_where_none_is_wanted(
    settings, names, warm
) -> None:
    assert warm.take(sandboxes.confinement("none")) is None
    settings.WARM_SANDBOXES = 0
    worker_ready.send(sender=Consumer(app=app))
    assert warm.take(sandboxes.confinement("none")) is None
    assert not names()


def test_nothing_waits_in_a_worker_that_carries_out_no_runs(settings, warm) -> None:
    settings.WARM_SANDBOXES = 3
    inspector = Celery("inspector", set_as_current=False)
    inspector.conf.task_create_missing_queues = True
    inspector.amqp.queues.select(["inspections"])
    worker_ready.send(sender=Consumer(app=inspector))
    assert warm._pool is None


@pytest.mark.engine
def test_a_worker_has_sandboxes_ready_gives_them_to_runs_and_leaves_none(
    run: Run, settings, names, warm, script
) -> None:
    settings.WARM_SANDBOXES = 3
    script(MAKE_A_POSTER)
    worker_ready.send(sender=Consumer(app=app))
    wait_for(lambda: warm._pool.ready() == 3)
    ready = names()
    worker.execute(run.pk)
    run.refresh_from_db()
    assert run.reason == "submitted"
    assert run.sandbox in ready
    worker_shutdown.send(sender=None)
    assert not names()


@pytest.mark.engine
def test_a_run_reaches_what_its_project_chose_and_the_operator_allows_when_it_starts(
    run: Run, settings, names, script
) -> None:
    look = [bash("ls /sys/class/net"), submit("Looked.")]

    def found(run: Run) -> str:
        script(look)
        worker.execute(run.pk)
        return run.events.filter(kind="tool.finished").first().data["output"]

    settings.NETWORKS = ["none", "open"]
    Project.objects.update(network="open")
    assert "eth0" in found(run)
    settings.NETWORKS = ["none"]
    assert found(follow_up(run)) == "lo"


@pytest.mark.engine
def test_a_sandbox_that_waited_is_not_reaped_until_its_run_is_over(
    run: Run, settings, names, warm, monkeypatch
) -> None:
    warm.open()
    wait_for(lambda: warm._pool.ready() == 1)
    sandboxes.remove_orphans()
    (ready,) = names()

    token = claims.claim(run.pk)
    assert token is not None
    sandbox = worker.sandbox(run)
    with sandbox:
        warm.close()
        # Taken, and nobody has been told yet.
        assert sandbox.name == ready
        sandboxes.remove_orphans()
        assert names() == {ready}

        journal.append(run.pk, SandboxReady(sandbox=ready, image="", seconds=0), claim=token)
        # So long ago that nothing but the run speaks for it.
        monkeypatch.setattr(orphans, "WAITING_SECONDS", 0.0)
        sandboxes.remove_orphans()
        assert names() == {ready}

        journal.append(run.pk, RunEnded(reason=Reason.STOPPED, message=""), claim=token)
        sandboxes.remove_orphans()
        assert not names()


@pytest.mark.engine
def test_a_run_that_begins_while_the_reaper_looks_is_not_hurt(
    run: Run, settings, names, monkeypatch
) -> None:
    sandbox = worker.sandbox(run)

    def begins() -> set[str]:
        sandbox.__enter__()
        return set()

    monkeypatch.setattr(sandboxes, "in_use", begins)
    # Something must be there to be looked at.
    with sandboxes.sandbox("over", "none") as other:
        try:
            sandboxes.remove_orphans()
            assert names() == {sandbox.name}
            assert other.name != sandbox.name
        finally:
            sandbox.__exit__()
