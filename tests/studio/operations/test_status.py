"""The operators' page: who sees it, and what it says about what is wrong."""

from __future__ import annotations

from collections import namedtuple
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from agent.errors import SandboxUnavailable
from agent.sandbox import orphans
from agent.sandbox.orphans import Listed
from studio.accounts.models import User
from studio.endpoints.models import Endpoint
from studio.operations import reporting, status
from studio.operations.models import Worker
from studio.projects.models import Project
from studio.runs.models import Run
from tests.studio.conftest import save, signed_in

pytestmark = pytest.mark.django_db

Disk = namedtuple("Disk", "total used free")


@pytest.fixture
def boss(db) -> Client:
    return signed_in(User.objects.create_superuser("boss", password="of it all"))


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has, there is room."""
    half = Disk(100 << 30, 50 << 30, 50 << 30)
    monkeypatch.setattr(status.shutil, "disk_usage", lambda path: half)


@pytest.fixture
def workers(db) -> None:
    now = timezone.now()
    for name, inspects in (("a runs", False), ("a inspects", True)):
        Worker.objects.create(name=name, inspects=inspects, threads=4, started=now, seen=now)


def told(client: Client) -> str:
    answer = client.get("/admin/status/")
    assert answer.status_code == 200
    return answer.content.decode().replace("\xa0", " ")


def test_it_is_for_staff(charlies_browser: Client) -> None:
    assert charlies_browser.get("/admin/status/").status_code == 404
    assert Client().get("/admin/status/").status_code == 302


def test_staff_who_are_no_superusers_look_at_it_and_change_nobody(
    boss: Client, project: Project
) -> None:
    Run.objects.update(status="ended", reason="crashed", ended=timezone.now())
    helper = signed_in(User.objects.create_user("helper", is_staff=True))
    assert "alice" in told(helper)
    for closed in ("/admin/accounts/user/", "/admin/runs/run/"):
        assert helper.get(closed).status_code == 403
        assert closed in told(boss)
        assert closed not in told(helper)


@pytest.mark.usefixtures("workers")
def test_all_is_well(boss: Client, run: Run) -> None:
    page = told(boss)
    assert "All is well." in page
    assert "<dd>1</dd>" in page


def test_it_asks_for_its_inner_part_alone(boss: Client) -> None:
    answer = boss.get("/admin/status/", HTTP_HX_REQUEST="true")
    assert b"<html" not in answer.content
    assert b"What needs you" in answer.content


def test_it_says_when_nobody_works(boss: Client, workers: None) -> None:
    Worker.objects.update(seen=timezone.now() - timedelta(minutes=5))
    page = told(boss)
    assert "Nobody carries out runs." in page
    assert "Nobody looks into files." in page


@pytest.mark.usefixtures("workers")
def test_it_says_what_waits_for_long_and_what_would_help(boss: Client, run: Run) -> None:
    Run.objects.update(created=timezone.now() - timedelta(minutes=10))
    page = told(boss)
    assert "10 minutes" in page
    assert "there are 4 places for runs" in page


@pytest.mark.usefixtures("workers")
def test_it_says_that_the_engine_does_not_answer(boss: Client) -> None:
    Worker.objects.filter(inspects=False).update(problem="No container engine answers.")
    assert "No container engine answers." in told(boss)


@pytest.mark.usefixtures("workers")
def test_it_says_that_the_disk_is_full(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        status.shutil, "disk_usage", lambda path: Disk(100 << 30, 95 << 30, 5 << 30)
    )
    page = told(boss)
    assert "The disk is nearly full: 5.0 GB are left." in page


@pytest.mark.usefixtures("workers")
def test_it_says_that_a_key_cannot_be_read(boss: Client) -> None:
    Endpoint.objects.create(name="cloud", base_url="https://example.org/v1", kept_key="broken")
    page = told(boss)
    assert "cloud: The key of the endpoint" in page
    assert "All is well." not in page


@pytest.mark.usefixtures("workers")
def test_it_tells_what_failed_in_the_last_day_and_why(boss: Client, alice: User) -> None:
    now = timezone.now()
    ends = [
        ("model_unavailable", "The model answered 401.", now),
        ("model_unavailable", "The model answered 402.", now - timedelta(hours=1)),
        ("crashed", "", now),
        ("stopped", "", now),
        ("turn_limit", "Long ago", now - timedelta(days=2)),
    ]
    for reason, message, ended in ends:
        project = Project.objects.create(owner=alice, title="x")
        Run.objects.create(
            project=project, number=1, status="ended", reason=reason, message=message, ended=ended
        )
    page = told(boss)
    assert "The model answered 401." in page
    assert "The model answered 402." not in page
    assert "look into the worker" in page
    assert "turn_limit" not in page
    assert [(each.reason, each.count) for each in status.failed()] == [
        ("model_unavailable", 2),
        ("crashed", 1),
    ]


def test_it_tells_who_was_here_and_what_they_take(boss: Client, run: Run) -> None:
    save(run, "a.bin", b"x" * 2**20)
    page = told(boss)
    assert "alice" in page
    assert page.count("1.0 MB") == 2  # Hers, and everybody's.


def test_a_worker_tells_what_its_engine_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [
        Listed("1", "sandbox-a", "run-1", 0.0, running=True),
        Listed("2", "sandbox-a", "run-1", 0.0, running=True),  # its proxy
        Listed("3", "sandbox-b", "", 0.0, running=True),
    ]
    monkeypatch.setattr(orphans, "running", lambda installation: there)
    about = {"threads": 4, "inspects": False, "started": timezone.now()}
    reporting.report("a", about)
    worker = Worker.objects.get()
    assert (worker.in_use, worker.waiting, worker.alive) == (1, 1, True)

    def refuse(installation: str) -> list[Listed]:
        raise SandboxUnavailable("No container engine answers.")

    monkeypatch.setattr(orphans, "running", refuse)
    reporting.report("a", about)
    worker.refresh_from_db()
    assert (worker.in_use, worker.problem) == (None, "No container engine answers.")


def test_workers_that_went_long_ago_are_forgotten() -> None:
    now = timezone.now()
    old = now - timedelta(days=2)
    Worker.objects.create(name="old", inspects=True, threads=1, started=old, seen=old)
    reporting.report("new", {"threads": 1, "inspects": True, "started": now})
    assert [worker.name for worker in Worker.objects.all()] == ["new"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_goes_takes_its_row_along() -> None:
    reporter = reporting.Reporter()
    reporter.open("a", 1, inspects=True)
    reporter.close()
    assert not Worker.objects.exists()
