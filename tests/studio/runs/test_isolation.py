"""What a user can send, and what a missing engine can do: nothing changes where commands run."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import docker
import pytest
from django.test import Client
from django.urls import reverse

from agent.models import Delta, Reply
from agent.sandbox.docker import RUN_LABEL, DockerSandbox
from agent.testing import ScriptedModel, bash, submit
from studio.runs import worker
from studio.runs.models import Run, Status
from tests.studio.runs.test_worker import ended

pytestmark = pytest.mark.django_db(transaction=True)

WISHES: dict[str, Any] = {
    "image": "debian:latest",
    "mounts": "/:/host",
    "volumes": ["/var/run/docker.sock:/var/run/docker.sock"],
    "binds": "/etc:/etc",
    "environment": '{"LD_PRELOAD": "/tmp/x.so"}',
    "env": "A=b",
    "user": "root",
    "network_mode": "host",
    "privileged": "true",
    "profile": "workshop",
    "security_opt": "seccomp=unconfined",
    "cap_add": "ALL",
    "memory": "64g",
    "pids_limit": "-1",
    "pid_mode": "host",
    "devices": "/dev/kvm",
    "workspace": "0" * 64,
    "owner": "2",
    "status": "ended",
}


@pytest.fixture
def containers(engine: docker.DockerClient, monkeypatch) -> list[dict[str, Any]]:
    """What the engine says of the container of each run, without what differs by nature."""
    seen: list[dict[str, Any]] = []

    class Looking(ScriptedModel):
        def reply(self, *asked: Any) -> Generator[Delta | Reply, None, None]:
            run = Run.objects.get(status=Status.RUNNING)
            (found,) = engine.containers.list(filters={"label": f"{RUN_LABEL}={run.pk}"})
            said = {name: found.attrs[name] for name in ("HostConfig", "Config", "Mounts", "Image")}
            said["Networks"] = sorted(found.attrs["NetworkSettings"]["Networks"])
            user, _, group = said["Config"]["User"].partition(":")
            assert int(user) == int(group) >= 1000
            its_own = f"{run.pk}|{found.name}|\\b{user}\\b"
            seen.append(json.loads(re.sub(its_own, "its own", json.dumps(said))))
            yield from super().reply(*asked)

    monkeypatch.setattr(worker, "model", lambda run: Looking([submit("42")]))
    return seen


def asked_for(browser: Client, project: str | None, **fields: Any) -> Run:
    """A request sent as the form of a page does, and seen through."""
    where = reverse("runs:create", args=[project]) if project else reverse("projects:create")
    query = f"?{urlencode(fields, doseq=True)}" if fields else ""
    answer = browser.post(where + query, {"prompt": "Six times seven?", **fields})
    assert answer.status_code == 302
    run = Run.objects.latest("created")
    worker.execute(run.pk)
    assert ended(run) == ("submitted", "")
    return run


@pytest.mark.engine
def test_nobody_chooses_how_the_container_is_made(alices_browser: Client, containers) -> None:
    plain = asked_for(alices_browser, None)
    wished = asked_for(alices_browser, None, **WISHES)
    asked_for(alices_browser, plain.project_id, **WISHES)
    first, *others = containers
    assert first["Config"]["Image"].startswith("sandbox-studio/")
    assert first["HostConfig"]["NetworkMode"] == "none"
    assert len(others) == 2
    for other in others:
        assert other == first
    assert wished.project.owner == plain.project.owner


@pytest.mark.parametrize("network", ["host", "bridge", "container:other", "open", "packages"])
def test_a_network_that_the_operator_does_not_allow_is_refused(
    alices_browser: Client, network: str
) -> None:
    fields = {"prompt": "Six times seven?", "network": network}
    assert alices_browser.post(reverse("projects:create"), fields).status_code == 422
    assert not Run.objects.exists()


def test_without_an_engine_nothing_runs_on_the_host(run: Run, monkeypatch, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    model = ScriptedModel([bash(f"touch {canary}"), submit("Done.")])
    monkeypatch.setattr(worker, "model", lambda run: model)
    for host in ("unix:///nowhere/docker.sock", "tcp://127.0.0.1:1", "nonsense"):
        monkeypatch.setenv("DOCKER_HOST", host)
        model.asked.clear()
        again = (
            run
            if run.active
            else Run.objects.create(
                project=run.project, number=run.project.runs.count() + 1, prompt="Again"
            )
        )
        worker.execute(again.pk)
        reason, message = ended(again)
        assert reason == "sandbox_unavailable"
        assert re.search(r"No container engine answers .* Start it .* or set DOCKER_HOST", message)
        assert model.asked == []
        assert not canary.exists()
        assert again.project.artifacts.count() == 0


@pytest.mark.engine
def test_without_the_image_nothing_runs_on_the_host(run: Run, monkeypatch, tmp_path) -> None:
    canary = tmp_path / "canary"
    model = ScriptedModel([bash(f"touch {canary}"), submit("Done.")])
    monkeypatch.setattr(worker, "model", lambda run: model)
    monkeypatch.setattr(worker, "sandbox", lambda run: DockerSandbox(image="nobody/none:none"))
    worker.execute(run.pk)
    reason, message = ended(run)
    assert reason == "sandbox_unavailable"
    assert "scripts/build-image" in message
    assert model.asked == []
    assert not canary.exists()


@pytest.mark.engine
def test_a_command_runs_in_the_container_only(run: Run, monkeypatch, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    model = ScriptedModel([bash(f"mkdir -p {tmp_path} 2>&-; touch {canary} 2>&-; echo sang")])
    monkeypatch.setattr(worker, "model", lambda run: model)
    worker.execute(run.pk)
    assert run.events.get(kind="tool.finished").data["output"] == "sang"
    assert not canary.exists()
