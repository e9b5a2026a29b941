"""Files that the owner gave, taken away again or given to another project."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from studio.accounts.models import User
from studio.inspections.models import Inspection
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs.models import Run, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(run: Run) -> Input:
    Run.objects.update(status=Status.ENDED)
    blob = store().put([b"a,b\n"])
    return Input.objects.create(
        project=run.project, name="数据 1.csv", digest=blob.digest, size=blob.size
    )


def removed(file: Input, browser: Client) -> str:
    """Remove a file; the token with which that can be undone."""
    answer = browser.post(file.remove_url)
    assert answer.status_code == 200
    found = re.search(r'name="token" value="([^"]+)"', answer.content.decode())
    assert found
    return found[1]


def undo(project: Project, browser: Client, token: str) -> int:
    address = reverse("projects:undo-input", args=[project.pk])
    return browser.post(address, {"token": token}).status_code


def test_a_file_is_removed_and_given_back(file: Input, alices_browser: Client) -> None:
    token = removed(file, alices_browser)
    assert not Input.objects.exists()
    assert undo(file.project, alices_browser, token) == 302
    back = Input.objects.get()
    assert (back.name, back.digest, back.size) == (file.name, file.digest, 4)
    assert Inspection.objects.filter(input=back).exists()


def test_on_the_page_the_card_takes_its_place_again(file: Input, alices_browser: Client) -> None:
    address = reverse("projects:undo-input", args=[file.project_id])
    form = {"token": removed(file, alices_browser)}
    answer = alices_browser.post(address, form, headers={"HX-Request": "true"})
    back = Input.objects.get()
    assert f'<li class="input-card" id="input-{back.pk}">' in answer.content.decode()
    assert back.remove_url in answer.content.decode()


def test_its_name_can_be_used_anew_meanwhile(file: Input, alices_browser: Client) -> None:
    token = removed(file, alices_browser)
    Input.objects.create(project=file.project, name=file.name, digest="0" * 64, size=1)
    undo(file.project, alices_browser, token)
    names = list(Input.objects.values_list("name", flat=True))
    assert names == ["数据 1.csv", "数据 1 (2).csv"]


def test_nothing_is_removed_under_a_request_that_is_worked_on(
    file: Input, alices_browser: Client
) -> None:
    Run.objects.update(status=Status.RUNNING)
    answer = alices_browser.post(file.remove_url)
    assert answer.status_code == 409
    assert "Wait for it or stop it" in answer.content.decode()
    assert Input.objects.exists()


def test_undo_is_refused_for_other_projects_made_up_tokens_and_bytes_that_are_gone(
    file: Input, alice: User, alices_browser: Client
) -> None:
    token = removed(file, alices_browser)
    other = Project.objects.create(owner=alice, title="Other")
    assert undo(other, alices_browser, token) == 422
    assert undo(file.project, alices_browser, token[:-2] + "xx") == 422
    store().path(file.digest).unlink()
    assert undo(file.project, alices_browser, token) == 422
    assert not Input.objects.exists()


def test_undo_is_refused_when_something_else_took_the_room(
    file: Input, alices_browser: Client, settings
) -> None:
    token = removed(file, alices_browser)
    settings.USER_BYTES = file.size - 1
    assert undo(file.project, alices_browser, token) == 413
    assert not Input.objects.exists()


def test_a_file_is_given_to_another_project_of_the_same_owner_only(
    file: Input, alice: User, charlie: User, alices_browser: Client
) -> None:
    address = reverse("projects:copy-input", args=[file.project_id, file.name])
    other = Project.objects.create(owner=alice, title="Other")
    theirs = Project.objects.create(owner=charlie, title="Charlie's")
    page = alices_browser.get(file.use_url).content.decode()
    assert other.pk in page
    assert theirs.pk not in page
    assert alices_browser.post(address, {"project": theirs.pk}).status_code == 404
    for _ in range(2):
        answer = alices_browser.post(address, {"project": other.pk})
        assert answer["location"] == other.get_absolute_url()
    assert other.inputs.get().digest == file.digest
    assert not theirs.inputs.exists()


def test_a_new_project_begins_with_files_of_others_that_are_the_users_own(
    file: Input, charlie: User, alices_browser: Client
) -> None:
    theirs = Input.objects.create(
        project=Project.objects.create(owner=charlie, title="Charlie's"),
        name="secret.txt",
        digest="0" * 64,
        size=1,
    )
    keys = [file.pk, theirs.pk, "x", "9" * 40]
    page = alices_browser.get("/", {"file": keys}).content.decode()
    assert file.name in page
    assert "secret.txt" not in page
    alices_browser.post("/projects/new/", {"prompt": "A chart", "reuse": keys})
    begun = Run.objects.get(prompt="A chart").project
    assert [given.name for given in begun.inputs.all()] == [file.name]
