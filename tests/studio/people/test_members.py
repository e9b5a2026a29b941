"""Who is in a project: what they see of it, and how they come to see it no more."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from studio.accounts.models import User
from studio.people import views
from studio.people.models import SEVERAL, Invitation
from studio.projects.access import projects_of
from studio.projects.models import Input, Member, Project, Role
from studio.runs.models import Run
from tests.studio.conftest import save, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(project: Project) -> User:
    user = User.objects.create_user("bob", first_name="Bob the Builder")
    Member.objects.create(project=project, user=user, role=Role.VIEWER)
    return user


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


FORMS = {
    Role.VIEWER: {"leave"},
    Role.EDITOR: {"leave", "rename", "runs", "inputs-remove", "stop", "go-on", "retry", "restore"},
    Role.OWNER: {"rename", "runs", "inputs-remove", "stop", "go-on", "retry", "restore", "delete"},
}


@pytest.mark.parametrize("role", list(Role))
def test_the_pages_offer_what_the_role_may_do(
    role: Role, run: Run, bob: User, alices_browser: Client
) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    save(run, "old.html", b"<h1>Old</h1>")
    run.project.artifacts.filter(path="old.html").update(removed=True)
    Input.objects.create(project=run.project, name="a.csv", digest="0" * 64, size=1)
    Member.objects.update(role=min(role, Role.EDITOR))
    client = alices_browser if role == Role.OWNER else signed_in(bob)
    path = f"/projects/{run.project_id}/"
    told = page(client, path) + page(client, f"{path}people/")
    found = {
        name
        for name in FORMS[Role.EDITOR] | FORMS[Role.OWNER]
        if re.search(rf'(?:action|data-url)="[^"]*/{name}/[^"/]*"', told)
    }
    assert found == FORMS[role]
    file = page(client, f"{path}files/poster.html")
    assert ("/pack/" in file) == (role > Role.VIEWER)


def test_a_member_is_told_whose_project_it_is(project: Project, bob: User, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(first_name="Alice Liddell")
    for path in ("/", "/projects/", f"/projects/{project.pk}/"):
        assert "Alice Liddell" in page(signed_in(bob), path)
    assert "Alice Liddell ·" not in page(signed_in(alice), "/projects/")


def test_the_owner_makes_an_editor_of_a_viewer(
    project: Project, bob: User, alices_browser: Client
) -> None:
    path = f"/projects/{project.pk}/people/{project.members.get().pk}"
    alices_browser.post(f"{path}/role/", {"role": "2"})
    assert Member.objects.get().role == Role.EDITOR
    # There is one owner.
    alices_browser.post(f"{path}/role/", {"role": "3"})
    assert Member.objects.get().role == Role.VIEWER


def test_who_is_taken_out_sees_nothing_of_it_any_more(
    project: Project, bob: User, alices_browser: Client
) -> None:
    client, path = signed_in(bob), f"/projects/{project.pk}/"
    assert client.get(path).status_code == 200
    alices_browser.post(f"{path}people/{project.members.get().pk}/remove/")
    assert client.get(path).status_code == 404
    assert project.title not in page(client, "/projects/")


@pytest.mark.parametrize("way", ["remove", "role"])
def test_who_may_do_less_does_not_take_it_back_with_a_link_of_before(
    way: str, project: Project, charlie: User, charlies_browser: Client, alices_browser: Client
) -> None:
    issue = Invitation.objects.issue
    known, fresh = (issue(project.owner, project, Role.EDITOR, SEVERAL) for _ in range(2))
    charlies_browser.post(f"/invite/{known}/")
    path = f"/projects/{project.pk}/people/{project.members.get().pk}/{way}/"
    alices_browser.post(path, {"role": "1"})
    assert charlies_browser.post(f"/invite/{known}/").status_code == 410
    assert not projects_of(charlie, Role.EDITOR).exists()
    # One that nobody has used yet is still for whom it was made.
    assert charlies_browser.get(f"/invite/{fresh}/").status_code == 200


@pytest.mark.parametrize("way", ["remove", "role"])
def test_nor_by_coming_with_it_at_that_very_moment(
    way: str,
    project: Project,
    charlie: User,
    charlies_browser: Client,
    alices_browser: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = Invitation.objects.issue(project.owner, project, Role.EDITOR, SEVERAL)
    charlies_browser.post(f"/invite/{known}/")
    end = views.end_known_links

    def after_charlie(project: Project) -> None:
        charlies_browser.post(f"/invite/{known}/")
        end(project)

    monkeypatch.setattr(views, "end_known_links", after_charlie)
    path = f"/projects/{project.pk}/people/{project.members.get().pk}/{way}/"
    alices_browser.post(path, {"role": "1"})
    assert not projects_of(charlie, Role.EDITOR).exists()


def test_a_member_leaves(project: Project, bob: User) -> None:
    client = signed_in(bob)
    answer = client.post(f"/projects/{project.pk}/people/leave/")
    assert answer["location"] == "/projects/"
    assert client.get(f"/projects/{project.pk}/").status_code == 404


def test_members_of_another_project_are_out_of_reach(
    project: Project, bob: User, charlie: User, charlies_browser: Client
) -> None:
    mine = Project.objects.create(owner=charlie, title="Mine")
    path = f"/projects/{mine.pk}/people/{project.members.get().pk}"
    assert charlies_browser.post(f"{path}/remove/").status_code == 404
    assert charlies_browser.post(f"{path}/role/", {"role": "2"}).status_code == 404
    assert Member.objects.get().role == Role.VIEWER
