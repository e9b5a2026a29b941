"""What all files of a user may take together, for uploads and for what runs make."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.translation import override

from agent.errors import ToolError
from agent.events import WorkspaceSaved
from agent.testing import bash, submit
from studio.accounts.models import User
from studio.artifacts.models import Version
from studio.inspections.models import Inspection, Preview, Role
from studio.media import store
from studio.projects import quota
from studio.projects.models import Input, Member, Project
from studio.projects.models import Role as AccessRole
from studio.projects.requests import NoRoom, begin_project, begin_run
from studio.runs import journal, worker
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, kinds, save, signed_in
from tests.studio.runs.test_pausing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def give(client: Client, *contents: bytes):
    files = [SimpleUploadedFile(f"{n}.txt", data) for n, data in enumerate(contents)]
    return client.post("/projects/new/", {"prompt": "A chart of this", "files": files})


def left_behind(settings) -> int:
    return sum(path.is_file() for path in settings.MEDIA.rglob("*"))


def keep_workspace(run: Run, size: int) -> None:
    run.refresh_from_db()
    assert run.claim is not None
    digest = store().put([bytes([run.number]) * size]).digest
    journal.append(run.pk, WorkspaceSaved(digest=digest, size=size), claim=run.claim)


def test_the_same_bytes_count_once_and_of_workspaces_the_latest(
    alice: User, charlie: User, run: Run
) -> None:
    save(run, "a.txt", b"same")
    save(run, "b.txt", b"same")
    save(run, "c.txt", b"12345")
    Input.objects.create(
        project=run.project, name="i", digest=store().put([b"same"]).digest, size=4
    )
    Input.objects.create(project=run.project, name="j", digest=store().put([b"77"]).digest, size=2)
    keep_workspace(run, 1000)
    assert quota.used(alice.pk) == 4 + 5 + 2 + 1000
    second = follow_up(run)
    save(second, "c.txt", b"123456")
    assert quota.used(alice.pk) == 4 + 5 + 2 + 1000 + 6
    keep_workspace(second, 300)
    assert quota.used(alice.pk) == 4 + 5 + 2 + 300 + 6
    assert quota.used(charlie.pk) == 0
    run.project.delete()
    assert quota.used(alice.pk) == 0


def test_previews_count(alice: User, run: Run) -> None:
    save(run, "a.txt", b"12345")
    file = Input.objects.create(project=run.project, name="i", digest="1" * 64, size=100)
    found = [Inspection.objects.get(), Inspection.objects.create(input=file)]
    for number, inspection in enumerate(found):
        Preview.objects.create(
            inspection=inspection, role=Role.POSTER, digest=f"{number + 2}" * 64, size=1000
        )
    assert quota.used(alice.pk) == 5 + 100 + 2 * 1000


def test_a_workspace_takes_the_room_of_the_one_it_is_kept_instead_of(
    run: Run, script, settings
) -> None:
    script([bash(f"echo {'x' * 600} > notes; echo small > output/a.txt"), submit("Done.")])
    worker.execute(run.pk)
    settings.USER_BYTES = quota.used(run.project.owner_id) + 100
    second = follow_up(run)
    script([bash(f"echo {'y' * 600} > notes"), submit("Done.")])
    worker.execute(second.pk)
    run.refresh_from_db()
    second.refresh_from_db()
    assert second.workspace not in ("", run.workspace)
    assert quota.used(run.project.owner_id) <= settings.USER_BYTES


def test_files_that_do_not_fit_are_refused_and_nothing_of_them_stays(
    alices_browser: Client, settings
) -> None:
    settings.USER_BYTES = 100_000
    assert give(alices_browser, bytes(60_000)).status_code == 302
    answer = give(alices_browser, b"1" * 30_000, b"2" * 30_000)
    assert answer.status_code == 413
    assert "yours take 58.6\xa0KB already, of 97.7\xa0KB" in answer.content.decode()
    answer.close()
    assert (Project.objects.count(), left_behind(settings)) == (1, 1)
    assert give(alices_browser, bytes(60_000), b"1" * 40_000).status_code == 302


def test_of_two_that_fit_only_alone_and_come_at_once_one_is_kept(alice: User, settings) -> None:
    settings.USER_BYTES = 100_000
    answers: list[int] = []

    def ask(letter: bytes) -> None:
        answers.append(give(signed_in(alice), letter * 60_000).status_code)

    at_once(lambda: ask(b"1"), lambda: ask(b"2"), lambda: ask(b"3"))
    assert sorted(answers) == [302, 413, 413]
    assert quota.used(alice.pk) == 60_000


def test_a_full_users_new_request_is_refused_until_a_project_is_deleted(
    alices_browser: Client, charlie: User, settings
) -> None:
    settings.USER_BYTES = 1000
    give(alices_browser, bytes(1000))
    project = Project.objects.get()
    Run.objects.update(status=Status.ENDED)
    assert "Delete a project" in give(alices_browser).content.decode()
    with pytest.raises(NoRoom), override("zh-hans"):
        begin_run(project, "In blue")
    assert give(signed_in(charlie), bytes(1000)).status_code == 302
    alices_browser.post(f"/projects/{project.pk}/delete/")
    assert "empty the trash" in give(alices_browser, b"1").content.decode()
    alices_browser.post("/trash/empty/")
    assert give(alices_browser, b"1").status_code == 302


def test_a_run_goes_on_without_the_file_that_does_not_fit_and_says_so(
    run: Run, script, settings
) -> None:
    settings.USER_BYTES = 1000
    files = {"a.txt": "small", "b.txt": "x" * 2000, "c.txt": "other"}
    commands = "; ".join(f"echo {text} > output/{name}" for name, text in files.items())
    script([bash(commands), submit("Done.")])
    worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.ENDED, "submitted")
    (skipped,) = run.events.filter(kind="artifact.skipped")
    assert skipped.data["path"] == "b.txt"
    assert "no room left: your files may take 1000" in skipped.data["why"]
    assert set(Version.objects.values_list("artifact__path", flat=True)) == {"a.txt", "c.txt"}
    assert quota.used(run.project.owner_id) <= 1000


def test_a_workspace_that_does_not_fit_is_not_kept_and_the_run_says_so(
    run: Run, script, settings
) -> None:
    settings.USER_BYTES = 1000
    script([bash(f"echo small > output/a.txt; echo {'x' * 2000} > notes"), submit("Done.")])
    worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason, run.workspace) == (Status.ENDED, "submitted", "")
    assert "workspace could not be kept: there is no room left" in run.message
    assert kinds(run)[-1] == "run.ended"


def test_bytes_that_the_user_has_are_stored_again_in_a_full_store(run: Run, settings) -> None:
    save(run, "a.txt", b"x" * 1000)
    settings.USER_BYTES = 1000
    own = quota.own_store(run.project.owner_id)
    blob = own.put([b"x" * 1000])
    assert b"".join(own.open(blob.digest)) == b"x" * 1000
    with pytest.raises(ToolError, match="no room left"):
        own.put([b"y"])
    assert left_behind(settings) == 1


def test_who_was_let_in_is_told_whose_room_it_is(run: Run, charlie: User, settings) -> None:
    save(run, "a.txt", b"x" * 900)
    second = follow_up(run)
    Run.objects.filter(pk=second.pk).update(status=Status.ENDED)
    Member.objects.create(project=run.project, user=charlie, role=AccessRole.EDITOR)
    bob, url = signed_in(charlie), f"/projects/{run.project_id}/runs/"
    settings.USER_BYTES = 1000
    form = {"prompt": "More", "files": SimpleUploadedFile("a.txt", bytes(200))}
    answer = bob.post(url, form)
    assert answer.status_code == 413
    assert "The owner of this project has no room for these files" in answer.content.decode()
    settings.USER_BYTES = 900
    answer = bob.post(url, {"prompt": "More"})
    assert "The owner of this project has no room left" in answer.content.decode()
    # Whose files they are is told what they take, and nobody else.
    told = signed_in(run.project.owner).post(url, {"prompt": "More"}).content.decode()
    assert "Your files take 900" in told
    assert "900" not in answer.content.decode()


def test_a_file_is_given_along_only_where_it_fits(
    run: Run, charlie: User, alices_browser: Client, settings
) -> None:
    digest = store().put([b"x" * 500]).digest
    Input.objects.create(project=run.project, name="a.csv", digest=digest, size=500)
    target = begin_project(charlie, "Mine", []).project
    Member.objects.create(project=target, user=run.project.owner, role=AccessRole.EDITOR)
    settings.USER_BYTES = 400
    answer = alices_browser.post(
        f"/projects/{run.project_id}/inputs-copy/a.csv", {"project": target.pk}
    )
    assert answer.status_code == 413
    assert not target.inputs.exists()


def test_without_a_limit_nothing_is_refused(alice: User, settings) -> None:
    settings.USER_BYTES = None
    assert quota.refusal(alice.pk, []) == ""
    assert quota.usage(alice.pk) is None
    assert begin_project(alice, "A map", []).status == Status.QUEUED


def test_the_list_of_projects_shows_what_is_taken_from_half_on(
    alices_browser: Client, settings
) -> None:
    settings.USER_BYTES = 10_000
    give(alices_browser, bytes(4_900))
    assert "Your files take" not in alices_browser.get("/projects/").content.decode()
    give(alices_browser, b"1" * 100)
    page = alices_browser.get("/projects/").content.decode()
    assert "Your files take 4.9\xa0KB of 9.8\xa0KB" in page
    assert 'width="50"' in page


def test_sizes_of_earlier_workspaces_are_read_from_their_events(run: Run) -> None:
    save(run, "a.txt", b"1")
    keep_workspace(run, 700)
    Run.objects.update(workspace_size=0)
    migration = importlib.import_module("studio.runs.migrations.0004_workspace_size")
    migration.fill(apps, None)
    assert Run.objects.get().workspace_size == 700
