"""A copy of a project is a project of its own to go on with."""

from __future__ import annotations

import pytest
from django.test import Client

from agent.events import Reason, RunEnded, WorkspaceSaved
from agent.inputs import Exchange
from studio.accounts.models import User
from studio.inspections.models import Inspection, Preview, State, Text
from studio.media import store
from studio.projects import duplicating, quota
from studio.projects.models import Input, Member, Project, Role
from studio.runs import claims, journal, worker
from studio.runs.history import history
from studio.runs.models import Event, Run
from tests.studio.conftest import follow_up, save, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(run: Run) -> Run:
    """A request that has ended, with two files, an input and a workspace."""
    save(run, "poster.png", b"\x89PNG..")
    save(run, "draft.txt", b"old")
    Inspection.objects.update(state=State.DONE, width=30)
    found = Inspection.objects.get(version__artifact__path="poster.png")
    Preview.objects.create(inspection=found, role="poster", digest="e" * 64, size=3)
    given = store().put([b"a,b"])
    Input.objects.create(project=run.project, name="a.csv", digest=given.digest, size=given.size)
    finish(run)
    return run


def finish(run: Run) -> None:
    run.refresh_from_db()
    token = run.claim or claims.claim(run.pk)
    assert token
    kept = store().put([b"workspace", bytes([run.number])])
    journal.append(run.pk, WorkspaceSaved(digest=kept.digest, size=kept.size), claim=token)
    ended = RunEnded(reason=Reason.SUBMITTED, message="", summary="A **poster**.")
    journal.append(run.pk, ended, claim=token)


def copied(client: Client, project: Project) -> Project:
    answer = client.post(f"/projects/{project.pk}/copy/")
    assert answer.status_code == 302, answer.content
    return Project.objects.get(pk=answer["location"].split("/")[2])


def test_a_copy_has_what_the_next_request_builds_upon(done: Run, alices_browser: Client) -> None:
    second = follow_up(done)
    save(second, "draft.txt", b"new")
    finish(second)
    new = copied(alices_browser, done.project)
    third = Run.objects.create(project=new, number=3, prompt="Now in green")
    assert history(third) == [
        Exchange("A poster for the summer party", "A **poster**.", ("poster.png",)),
        Exchange("In blue", "A **poster**.", ("draft.txt",)),
    ]
    assert worker.workspace(third) == Run.objects.get(pk=second.pk).workspace
    assert [(given.name, b"".join(given.chunks())) for given in worker.inputs(third)] == [
        ("a.csv", b"a,b")
    ]
    files = {file.path: file.latest for file in new.artifacts.shown()}
    assert files["poster.png"].inspection.width == 30
    assert files["poster.png"].inspection.previews.get().digest == "e" * 64
    assert [version.number for version in files["draft.txt"].artifact.versions.all()] == [1]
    assert b"".join(store().open(files["draft.txt"].digest)) == b"new"
    page = alices_browser.get(new.get_absolute_url())
    assert page.context["file_count"] == 2
    assert "(copy)" in page.content.decode()


def test_many_files_are_copied_at_once_and_found_at_once(
    done: Run, alice: User, alices_browser: Client, django_assert_max_num_queries
) -> None:
    second = follow_up(done)
    for number in range(40):
        save(second, f"{number}.txt", b"1")
    known = Inspection.objects.get(version__artifact__path="draft.txt")
    Text.objects.create(inspection=known, text="Lanterns")
    finish(second)
    with django_assert_max_num_queries(60):
        new = duplicating.duplicate(done.project, alice)
    assert new.artifacts.count() == 42
    assert (
        Inspection.objects.filter(version__artifact__project=new, state=State.WAITING).count() == 40
    )
    for words in ("lanterns", "summer draft"):
        found = alices_browser.get(f"/library/?q={words}&project={new.pk}").context["items"]
        assert [item.artifact.path for item in found] == ["draft.txt"]


def test_a_copy_is_a_project_of_its_own(done: Run, alices_browser: Client) -> None:
    events = Event.objects.count()
    new = copied(alices_browser, done.project)
    assert Event.objects.count() == events
    alices_browser.post(f"/projects/{done.project_id}/delete/")
    alices_browser.post("/trash/empty/")
    assert alices_browser.get(f"{new.get_absolute_url()}files/poster.png").status_code == 200


def test_the_owners_own_copy_takes_no_room(
    done: Run, alice, alices_browser: Client, settings
) -> None:
    used = quota.used(alice.pk)
    settings.USER_BYTES = used
    copied(alices_browser, done.project)
    assert quota.used(alice.pk) == used


def test_a_viewer_gets_a_copy_of_their_own_if_it_fits(done: Run, charlie, settings) -> None:
    Member.objects.create(project=done.project, user=charlie, role=Role.VIEWER)
    used = quota.used(done.project.owner_id)
    settings.USER_BYTES = used - 1
    browser = signed_in(charlie)
    answer = browser.post(f"/projects/{done.project_id}/copy/")
    assert answer.status_code == 413
    assert Project.objects.count() == 1
    settings.USER_BYTES = used
    assert copied(browser, done.project).owner == charlie
    assert quota.used(charlie.pk) == used


def test_a_project_that_is_worked_on_is_not_copied(run: Run, alices_browser: Client) -> None:
    answer = alices_browser.post(f"/projects/{run.project_id}/copy/")
    assert answer.status_code == 409
    assert Project.objects.count() == 1
