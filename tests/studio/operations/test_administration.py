"""People, projects and runs in the administration."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from studio.accounts.models import User
from studio.projects.models import Project
from studio.runs.models import Run
from tests.studio.conftest import shared, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(db) -> Client:
    return signed_in(User.objects.create_superuser("boss", password="of it all"))


def person(user: User, **changed: str) -> dict[str, str]:
    return {"username": user.username, "is_active": "on", **changed}


def test_an_operator_gives_somebody_more_room(boss: Client, alice: User) -> None:
    path = f"/admin/accounts/user/{alice.pk}/change/"
    assert boss.get(path).status_code == 200
    assert boss.post(path, person(alice, room="500")).status_code == 302
    alice.refresh_from_db()
    assert alice.room == 500
    assert boss.post(path, person(alice, room="-1")).status_code == 200
    boss.post(path, person(alice, room=""))
    alice.refresh_from_db()
    assert alice.room is None


def test_an_operator_adds_and_locks_out(boss: Client, alice: User) -> None:
    assert boss.get("/admin/accounts/user/add/").status_code == 200
    password = "of the builders"
    form = {"username": "bob", "usable_password": "true"}
    boss.post("/admin/accounts/user/add/", {**form, "password1": password, "password2": password})
    assert User.objects.get(username="bob").check_password(password)
    mine = signed_in(alice)
    boss.post(f"/admin/accounts/user/{alice.pk}/change/", {"username": "alice"})
    assert mine.get("/").status_code == 302


def test_a_user_is_deleted_with_the_projects(boss: Client, run: Run, alice: User) -> None:
    path = f"/admin/accounts/user/{alice.pk}/delete/"
    assert "A poster for the summer party" in boss.get(path).content.decode()
    boss.post(path, {"post": "yes"})
    assert not Project.objects.exists()
    me = User.objects.get()
    assert boss.post(f"/admin/accounts/user/{me.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("what", ["projects/project", "runs/run"])
def test_what_the_studio_writes_is_looked_at_and_not_touched(
    what: str, boss: Client, run: Run
) -> None:
    key = run.pk if "run" in what else run.project_id
    assert boss.get(f"/admin/{what}/").status_code == 200
    page = boss.get(f"/admin/{what}/{key}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    for path in ("add/", f"{key}/delete/"):
        assert boss.get(f"/admin/{what}/{path}").status_code == 403
    assert boss.post(f"/admin/{what}/{key}/change/", {"status": "ended"}).status_code == 403


def test_what_was_asked_for_is_not_shown_with_a_run(boss: Client, run: Run) -> None:
    Run.objects.update(prompt="between us")
    assert "between us" not in boss.get(f"/admin/runs/run/{run.pk}/change/").content.decode()


LABELS = re.compile(r'(?s)<(?:th scope="col"|label|h3|summary|h1)\b[^>]*>(.*?)</')
# Names of ours, of formats and of what a column is known by everywhere.
SAID_SO = re.compile(r"\b(Sandbox Studio|ID|Admin|token|Webhook)\b")


@pytest.mark.parametrize("what", ["projects/project", "runs/run", "sharing/share"])
def test_lists_and_rows_are_in_the_language_of_the_reader(
    what: str, boss: Client, run: Run
) -> None:
    share, _ = shared(run.project)
    key = {"runs/run": run.pk, "projects/project": run.project_id, "sharing/share": share.pk}[what]
    for path in (f"/admin/{what}/", f"/admin/{what}/{key}/change/"):
        page = boss.get(path, headers={"accept-language": "zh-hans"}).content.decode()
        labels = [re.sub(r"<[^>]*>", " ", label).strip() for label in LABELS.findall(page)]
        assert labels
        assert [label for label in labels if re.search("[a-z]{3}", SAID_SO.sub("", label))] == []
