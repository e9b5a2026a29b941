"""What is done with several files at once."""

from __future__ import annotations

import io
import json
import zipfile
from urllib.parse import urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.core import signing
from django.test import Client

from studio.artifacts import bundles
from studio.artifacts.links import Reader
from studio.artifacts.models import Artifact
from studio.library.models import Star, Tag
from studio.projects.models import Member, Project, Role
from studio.projects.requests import begin_project
from studio.runs.models import Run
from studio.runs.worker import outputs
from tests.studio.artifacts.test_origin import get
from tests.studio.conftest import ALICE, follow_up, save, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def files(run: Run) -> list[int]:
    save(run, "a.txt", b"first")
    save(run, "b/c.txt", b"second")
    return list(Artifact.objects.order_by("path").values_list("pk", flat=True))


@pytest.fixture
def viewer(run: Run, charlie) -> Client:
    Member.objects.create(project=run.project, user=charlie, role=Role.VIEWER)
    return signed_in(charlie)


def shown(project: Project) -> set[str]:
    return set(project.artifacts.shown().values_list("path", flat=True))


def test_files_get_stars_and_lose_them(files: list[int], alices_browser: Client) -> None:
    for _ in range(2):
        alices_browser.post("/library/star/", {"file": files, "on": "1"})
    assert Star.objects.count() == 2
    alices_browser.post("/library/star/", {"file": files[0]})
    assert Star.objects.get().artifact_id == files[1]


def test_a_files_own_page_shows_the_readers_star(
    files: list[int], run: Run, alices_browser: Client, viewer: Client
) -> None:
    url = run.project.artifacts.get(pk=files[0]).detail_url
    starred = 'data-key="s" aria-pressed="true"'
    assert starred not in alices_browser.get(url).content.decode()
    alices_browser.post("/library/star/", {"file": files[0], "on": "1"})
    assert starred in alices_browser.get(url).content.decode()
    assert starred not in viewer.get(url).content.decode()


def test_files_get_tags_and_lose_them(files: list[int], alices_browser: Client) -> None:
    form = {"file": files, "words": "  To  print, 春天，to PRINT ,,#blue"}
    answer = alices_browser.post("/library/tag/", form, headers={"hx-request": "true"})
    assert {tag.name for tag in Tag.objects.all()} == {"to PRINT", "春天", "blue"}
    told = json.loads(answer.context["tagged"])
    assert told == {str(key): "blue, to PRINT, 春天" for key in files}
    alices_browser.post("/library/tag/", {"file": files[0], "words": "TO PRINT", "off": "1"})
    assert Tag.objects.get(folded="to print").artifacts.get().pk == files[1]
    alices_browser.post("/library/tag/", {"file": files, "words": "to print", "off": "1"})
    assert not Tag.objects.filter(folded="to print").exists()
    assert (
        "Write the tag first."
        in alices_browser.post("/library/tag/", {"file": files, "words": " , "}).content.decode()
    )


def test_tags_are_each_users_own(files: list[int], alices_browser: Client, viewer: Client) -> None:
    alices_browser.post("/library/tag/", {"file": files, "words": "blue"})
    viewer.post("/library/tag/", {"file": files[0], "words": "Blue"})
    viewer.post("/library/tag/", {"file": files[0], "words": "Blue", "off": "1"})
    assert Tag.objects.get().artifacts.count() == 2


def test_deleted_files_are_gone_and_come_back(
    files: list[int], run: Run, alices_browser: Client
) -> None:
    answer = alices_browser.post(
        "/library/delete/", {"file": files}, headers={"hx-request": "true"}
    )
    assert "Undo" in answer.content.decode()
    assert shown(run.project) == set()
    assert alices_browser.get("/library/").context["items"] == []
    alices_browser.post("/library/undelete/", {"file": files[0]})
    assert shown(run.project) == {"a.txt"}


def test_a_deleted_file_that_a_later_request_makes_is_shown_and_stays(
    files: list[int], run: Run, alices_browser: Client
) -> None:
    alices_browser.post("/library/delete/", {"file": files})
    save(follow_up(run), "a.txt", b"anew")
    assert shown(run.project) == {"a.txt"}
    alices_browser.post("/trash/empty/")
    assert set(run.project.artifacts.values_list("path", flat=True)) == {"a.txt"}


def test_what_a_run_removed_is_not_in_the_trash(
    files: list[int], run: Run, alices_browser: Client
) -> None:
    Artifact.objects.filter(path="a.txt").update(removed=True)
    alices_browser.post("/library/undelete/", {"file": files})
    assert shown(run.project) == {"b/c.txt"}
    alices_browser.post("/trash/empty/")
    assert run.project.artifacts.count() == 2


def test_a_viewer_deletes_nothing_and_is_told_so(
    files: list[int], run: Run, viewer: Client, alices_browser: Client
) -> None:
    answer = viewer.post("/library/delete/", {"file": files})
    assert "you can only look at their projects" in answer.content.decode()
    assert len(shown(run.project)) == 2
    alices_browser.post("/library/delete/", {"file": files})
    viewer.post("/library/undelete/", {"file": files})
    viewer.post("/trash/files/restore/", {"file": files})
    viewer.post("/trash/files/delete/", {"file": files})
    viewer.post("/trash/empty/")
    assert run.project.artifacts.filter(removed=True).count() == 2


def test_an_editor_deletes_and_brings_back_and_only_the_owner_deletes_for_good(
    files: list[int], run: Run, viewer: Client, alices_browser: Client
) -> None:
    Member.objects.update(role=Role.EDITOR)
    viewer.post("/library/delete/", {"file": files})
    viewer.post("/trash/empty/")
    viewer.post("/trash/files/delete/", {"file": files})
    viewer.post("/trash/files/restore/", {"file": files[0]})
    assert shown(run.project) == {"a.txt"}
    assert "Delete c.txt for good" not in viewer.get("/trash/").content.decode()
    assert "Delete c.txt for good" in alices_browser.get("/trash/").content.decode()
    alices_browser.post("/trash/files/delete/", {"file": files})
    assert run.project.artifacts.count() == 1


@pytest.mark.parametrize(
    "action", ["star", "tag", "delete", "undelete", "download", "copy", "move"]
)
def test_charlie_changes_and_gets_nothing_of_alices(
    action: str, files: list[int], run: Run, charlies_browser: Client, charlie
) -> None:
    mine = begin_project(charlie, "Mine", []).project
    form = {"file": files, "on": "1", "words": "x", "project": mine.pk}
    answer = charlies_browser.post(f"/library/{action}/", form)
    assert ".artifacts." not in answer.content.decode()
    assert len(shown(run.project)) == 2
    assert not Star.objects.exists()
    assert not Tag.artifacts.through.objects.exists()
    assert not mine.inputs.exists()
    assert not mine.artifacts.exists()
    assert charlies_browser.get(f"/library/{action}/").status_code == 405


def test_files_are_given_to_another_project_and_stay(
    files: list[int], run: Run, alice, alices_browser: Client, settings
) -> None:
    other = begin_project(alice, "Other", []).project
    form = {"file": files, "project": other.pk}
    answer = alices_browser.post("/library/copy/", form)
    assert "They stay here as well." in answer.content.decode()
    assert {given.name for given in other.inputs.all()} == {"a.txt", "c.txt"}
    assert len(shown(run.project)) == 2
    assert alices_browser.post("/library/copy/", form | {"project": "x"}).status_code == 404


def test_files_that_do_not_fit_are_not_given(
    files: list[int], charlie, viewer: Client, settings
) -> None:
    mine = begin_project(charlie, "Mine", []).project
    settings.USER_BYTES = 5
    answer = viewer.post("/library/copy/", {"file": files, "project": mine.pk})
    assert "fit" in answer.content.decode()
    assert not mine.inputs.exists()


def test_moved_files_are_the_other_projects_and_come_back(
    files: list[int], run: Run, alice, alices_browser: Client
) -> None:
    other = begin_project(alice, "Other", [])
    save(other, "b/c.txt", b"another one")
    alices_browser.post("/library/star/", {"file": files[1], "on": "1"})
    alices_browser.post("/library/tag/", {"file": files[1], "words": "blue"})
    form = {"file": files, "project": other.project_id}
    answer = alices_browser.post("/library/move/", form, headers={"hx-request": "true"})
    assert "2 files moved to “Other”." in answer.content.decode()
    assert shown(run.project) == set()
    assert shown(other.project) == {"a.txt", "b/c.txt", "b/c (2).txt"}
    there = other.project.artifacts.get(path="b/c (2).txt")
    assert there.latest
    assert (there.stars.count(), there.tags.get().name) == (1, "blue")
    assert (there.latest.number, there.latest.made) == (1, "Moved here from another project")
    # Its next request finds them in its workspace.
    assert {file.name for file in outputs(follow_up(other))} == shown(other.project)
    undo = {"file": answer.context["gone"], "moved": answer.context["moved"]}
    alices_browser.post("/library/undelete/", undo)
    assert shown(run.project) == {"a.txt", "b/c.txt"}
    assert shown(other.project) == {"b/c.txt"}


def test_only_what_one_may_take_away_is_moved(
    files: list[int], run: Run, charlie, viewer: Client
) -> None:
    mine = begin_project(charlie, "Mine", [])
    save(mine, "own.txt", b"own")
    own = mine.project.artifacts.get().pk
    form = {"file": [*files, own], "project": mine.project_id}
    answer = viewer.post("/library/move/", form)
    assert "2 stayed: you can only look at their projects." in answer.content.decode()
    assert shown(mine.project) == {"own.txt"}
    assert viewer.post("/library/move/", {**form, "project": run.project_id}).status_code == 403
    Member.objects.update(role=Role.EDITOR)
    viewer.post("/library/move/", form)
    assert shown(mine.project) == {"own.txt", "a.txt", "b/c.txt"}
    assert shown(run.project) == set()
    # Undoing takes nothing out of a project that one may only look at.
    Member.objects.update(role=Role.VIEWER)
    Artifact.objects.filter(pk__in=files).update(removed=False, deleted=None)
    viewer.post("/library/undelete/", {"moved": files})
    assert len(shown(run.project)) == 2


def test_files_that_do_not_fit_are_not_moved(
    files: list[int], run: Run, charlie, viewer: Client, settings
) -> None:
    Member.objects.update(role=Role.EDITOR)
    mine = begin_project(charlie, "Mine", []).project
    settings.USER_BYTES = 5
    answer = viewer.post("/library/move/", {"file": files, "project": mine.pk})
    assert "fit" in answer.content.decode()
    assert not mine.artifacts.exists()
    assert len(shown(run.project)) == 2


def unzipped(url: str) -> dict[str, bytes]:
    answer = async_to_sync(get)(url)
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_files_of_several_projects_come_as_one_zip(
    files: list[int], run: Run, alice, alices_browser: Client
) -> None:
    other = begin_project(alice, "A/B", [])
    save(other, "a.txt", b"third")
    save(other, "not-picked.txt", b"")
    key = Artifact.objects.get(project=other.project, path="a.txt").pk
    answer = alices_browser.post("/library/download/", {"file": [*files, key]})
    url = answer.context["address"]
    assert urlsplit(url).hostname != "localhost"
    found = unzipped(url)
    readme = found.pop("README.md").decode()
    assert "## A poster for the summer party" in readme
    assert "third" not in readme
    assert found == {
        "A poster for the summer party/a.txt": b"first",
        "A poster for the summer party/b/c.txt": b"second",
        "A_B/a.txt": b"third",
    }


def test_a_zip_is_only_of_what_was_signed_and_is_there_still(
    files: list[int], run: Run, alices_browser: Client
) -> None:
    url = alices_browser.post("/library/download/", {"file": files}).context["address"]
    forged = signing.dumps(files, salt="another")
    signed = urlsplit(url).query.split("&")[0].removeprefix("files=")
    ask = async_to_sync(get)
    assert ask(url.replace(signed, forged)).status_code == 404
    Artifact.objects.filter(path="a.txt").update(removed=True)
    assert "A poster for the summer party/a.txt" not in unzipped(url)
    alices_browser.post(f"/projects/{run.project_id}/delete/")
    assert ask(url).status_code == 404
    assert bundles.versions(signed, Reader(ALICE)) == []
