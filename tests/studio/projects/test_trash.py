"""Deleted projects: out of sight, brought back, gone for good after thirty days."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils import timezone

from studio.artifacts import trash as files
from studio.artifacts.models import Artifact
from studio.library.tasks import tidy
from studio.projects import quota, trash
from studio.projects.models import Member, Project, Role
from studio.projects.requests import BadRequest, begin_project, begin_run
from studio.runs import claims
from studio.runs.models import Run, Status
from tests.studio.artifacts.test_origin import address, get
from tests.studio.conftest import follow_up, save, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def ages(days: float) -> None:
    """Let what is in the trash have been there for so long."""
    then = timezone.now() - timedelta(days=days)
    Project.objects.exclude(deleted=None).update(deleted=then)
    Artifact.objects.exclude(deleted=None).update(deleted=then)


def brought_back_by_deleting(model, restore, monkeypatch) -> None:
    """The first that is deleted for good is the moment at which somebody restores the others."""
    delete = model.delete

    def deleted(self):
        result = delete(self)
        restore()
        return result

    monkeypatch.setattr(model, "delete", deleted)


def test_a_deleted_project_is_out_of_everybodys_sight(
    run: Run, charlie, alices_browser: Client
) -> None:
    save(run, "a.txt", b"1")
    Member.objects.create(project=run.project, user=charlie, role=Role.EDITOR)
    url, file = f"/projects/{run.project_id}/", address(run.project_id, "a.txt")
    assert async_to_sync(get)(file).status_code == 200
    alices_browser.post(f"{url}delete/")
    for browser in (alices_browser, signed_in(charlie)):
        assert browser.get(url).status_code == 404
        assert browser.get(f"{url}files/a.txt").status_code == 404
        assert browser.get(f"/runs/{run.pk}/events/").status_code == 404
        assert browser.get("/library/").context["items"] == []
        assert "summer party" not in browser.get("/").content.decode()
        assert "summer party" not in browser.get("/projects/").content.decode()
    assert async_to_sync(get)(file).status_code == 404
    assert "summer party" in alices_browser.get("/trash/").content.decode()
    assert "summer party" not in signed_in(charlie).get("/trash/").content.decode()


def test_deleting_stops_what_is_being_worked_on(run: Run, alices_browser: Client) -> None:
    token = claims.claim(run.pk)
    assert token
    trash.discard(run.project)
    assert claims.should_stop(run.pk, token)
    second = follow_up(run)
    trash.discard(run.project)
    second.refresh_from_db()
    assert (second.status, second.reason) == (Status.ENDED, "stopped")


def test_no_request_begins_in_a_deleted_project(run: Run) -> None:
    trash.discard(run.project)
    with pytest.raises(BadRequest):
        begin_run(run.project, "More")
    assert Run.objects.count() == 1


def test_deleting_can_be_undone(run: Run, alices_browser: Client) -> None:
    save(run, "a.txt", b"1")
    url = f"/projects/{run.project_id}/"
    answer = alices_browser.post(f"{url}delete/", follow=True)
    assert f"/trash/{run.project_id}/restore/" in answer.content.decode()
    assert alices_browser.post(f"/trash/{run.project_id}/restore/")["location"] == url
    assert alices_browser.get(url).context["file_count"] == 1


def test_what_is_in_the_trash_still_counts_until_it_is_emptied(
    run: Run, alice, alices_browser: Client
) -> None:
    save(run, "a.txt", b"12345")
    trash.discard(run.project)
    assert quota.used(alice.pk) == 5
    assert "still counts" in alices_browser.get("/trash/").content.decode()
    assert alices_browser.post("/trash/empty/").status_code == 302
    assert quota.used(alice.pk) == 0
    assert not Project.objects.exists()


def test_what_is_not_in_the_trash_is_not_deleted_for_good(
    run: Run, alices_browser: Client, charlies_browser: Client
) -> None:
    save(run, "a.txt", b"1")
    key = Artifact.objects.get().pk
    alices_browser.post(f"/trash/{run.project_id}/delete/")
    alices_browser.post("/trash/files/delete/", {"file": key})
    alices_browser.post("/trash/empty/")
    assert Artifact.objects.exists()
    trash.discard(run.project)
    assert charlies_browser.post(f"/trash/{run.project_id}/delete/").status_code == 404
    charlies_browser.post("/trash/empty/")
    assert Project.objects.exists()
    alices_browser.post(f"/trash/{run.project_id}/delete/")
    assert not Project.objects.exists()


def test_what_is_brought_back_while_others_are_deleted_stays(run: Run, alice, monkeypatch) -> None:
    save(run, "a.txt", b"1")
    save(run, "b.txt", b"1")
    other = begin_project(alice, "Another", []).project
    for project in (run.project, other):
        trash.discard(project)
    files.discard(Artifact.objects.all())
    ages(31)
    brought_back_by_deleting(Artifact, lambda: files.restore(Artifact.objects.all()), monkeypatch)
    files.purge()
    assert Artifact.objects.count() == 1
    brought_back_by_deleting(Project, lambda: Project.objects.update(deleted=None), monkeypatch)
    trash.purge()
    assert Project.objects.count() == 1


def test_after_thirty_days_it_is_gone_and_not_before(run: Run, alices_browser: Client) -> None:
    save(run, "a.txt", b"1")
    save(run, "b.txt", b"1")
    files.discard(Artifact.objects.filter(path="a.txt"))
    Artifact.objects.filter(path="b.txt").update(removed=True)
    ages(29.9)
    tidy()
    assert Artifact.objects.count() == 2
    assert "1 day left" in alices_browser.get("/trash/").content.decode()
    ages(30.1)
    tidy()
    assert Artifact.objects.get().path == "b.txt"
    trash.discard(run.project)
    tidy()
    assert Project.objects.exists()
    ages(30.1)
    tidy()
    assert not Project.objects.exists()
