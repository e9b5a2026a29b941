"""Links that let people in: who may make them, whom they let in, and when they stop."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from studio.accounts.models import User
from studio.people.models import SEVERAL, Invitation
from studio.projects import trash
from studio.projects.access import projects_of
from studio.projects.models import Member, Project, Role
from tests.studio.conftest import signed_in

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "erin", "password1": "of the builders", "password2": "of the builders"}


@pytest.fixture
def boss(db) -> User:
    return User.objects.create_user("boss", is_staff=True)


def link(owner: User, project: Project | None = None, **about) -> str:
    return f"/invite/{Invitation.objects.issue(owner, project, **about)}/"


def signed_up(client: Client) -> bool:
    answer = client.post("/accounts/signup/", ACCOUNT)
    return answer.status_code == 302 and User.objects.filter(username="erin").exists()


def test_whoever_has_the_link_joins_with_the_role_that_it_gives(
    project: Project, alice: User, charlie: User, charlies_browser: Client
) -> None:
    path = link(alice, project, role=Role.EDITOR)
    page = charlies_browser.get(path).content.decode()
    assert "alice invites you" in page
    assert project.title in page
    assert not projects_of(charlie).exists()
    answer = charlies_browser.post(path)
    assert answer["location"] == project.get_absolute_url()
    assert projects_of(charlie, Role.EDITOR).get() == project


def test_the_owner_is_shown_the_link_once_and_its_hash_is_kept(
    project: Project, alices_browser: Client
) -> None:
    page = alices_browser.post(f"/projects/{project.pk}/people/links/", {"most": "10"})
    found = re.search(r'value="http://localhost:8000/invite/([\w-]+)/"', page.content.decode())
    assert found
    assert len(found[1]) >= 43  # 256 bits
    assert Invitation.objects.get().most == SEVERAL
    assert found[1] not in str(list(Invitation.objects.values()))
    again = alices_browser.get(f"/projects/{project.pk}/people/").content.decode()
    assert "/invite/" not in again


def test_a_link_for_one_lets_one_in(project: Project, alice: User, charlie: User) -> None:
    path = link(alice, project)
    bob = User.objects.create_user("bob")
    assert signed_in(bob).post(path).status_code == 302
    assert signed_in(charlie).post(path).status_code == 410
    assert not projects_of(charlie).exists()
    # Who is in already is led there.
    assert signed_in(bob).get(path)["location"] == project.get_absolute_url()
    assert signed_in(alice).get(path)["location"] == project.get_absolute_url()


def test_who_presses_twice_is_in(
    project: Project, alice: User, charlies_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept = Invitation.accept

    def twice(invitation: Invitation, user: User) -> bool:
        """As the other request does a moment before."""
        accept(invitation, user)
        return accept(invitation, user)

    monkeypatch.setattr(Invitation, "accept", twice)
    answer = charlies_browser.post(link(alice, project))
    assert (answer.status_code, answer.get("location")) == (302, project.get_absolute_url())


def test_a_link_for_several_lets_as_many_in(project: Project, alice: User) -> None:
    path = link(alice, project, most=SEVERAL)
    codes = [
        signed_in(User.objects.create_user(f"bob{n}")).post(path).status_code
        for n in range(SEVERAL + 1)
    ]
    assert codes == [302] * SEVERAL + [410]
    assert project.members.count() == SEVERAL


@pytest.mark.parametrize("way", ["expired", "taken back", "made by somebody who was locked out"])
def test_a_link_that_is_over_lets_nobody_in(
    way: str, project: Project, alice: User, alices_browser: Client, charlies_browser: Client
) -> None:
    path = link(alice, project)
    if way == "expired":
        Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    elif way == "taken back":
        key = Invitation.objects.get().pk
        alices_browser.post(f"/projects/{project.pk}/people/links/{key}/revoke/")
    else:
        User.objects.filter(pk=alice.pk).update(is_active=False)
    for method in (charlies_browser.get, charlies_browser.post):
        answer = method(path)
        assert answer.status_code == 410
        assert project.title not in answer.content.decode()
    assert not Member.objects.exists()


def test_what_is_in_the_trash_lets_nobody_in(
    project: Project, alice: User, charlies_browser: Client
) -> None:
    path = link(alice, project)
    trash.discard(project)
    for method in (charlies_browser.get, charlies_browser.post):
        answer = method(path)
        assert answer.status_code == 410
        assert project.title not in answer.content.decode()
    assert not Member.objects.exists()


def test_a_wrong_link_looks_like_one_that_is_used_up(charlies_browser: Client) -> None:
    assert charlies_browser.get("/invite/guessed/").status_code == 410


def test_a_link_never_takes_something_away(project: Project, alice: User, charlie: User) -> None:
    Member.objects.create(project=project, user=charlie, role=Role.EDITOR)
    signed_in(charlie).post(link(alice, project, role=Role.VIEWER))
    assert Member.objects.get().role == Role.EDITOR
    assert Invitation.objects.get().uses == 0


def test_the_page_of_a_link_is_kept_by_nobody(project: Project, alice: User) -> None:
    answer = Client().get(link(alice, project))
    assert answer["x-robots-tag"] == "noindex"
    assert "no-store" in answer["cache-control"]
    assert answer["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("policy", "by_owner", "by_staff", "without"),
    [("closed", False, True, False), ("invited", True, True, False), ("open", True, True, True)],
)
def test_the_policy_says_who_may_make_an_account(
    policy: str, by_owner: bool, by_staff: bool, without: bool, project, alice, boss, settings
) -> None:
    settings.SIGNUP = policy
    for path, expected in (
        (link(alice, project), by_owner),
        (link(boss), by_staff),
        ("/accounts/login/", without),
    ):
        client = Client()
        page = client.get(path).content.decode()
        assert ("/accounts/signup/" in page) == expected
        assert signed_up(client) == expected
        User.objects.filter(username="erin").delete()


def test_a_newcomer_is_in_the_project_as_soon_as_the_account_is_made(
    project: Project, alice: User, settings
) -> None:
    settings.SIGNUP = "invited"
    client, path = Client(), link(alice, project, role=Role.EDITOR)
    client.get(path)
    answer = client.post("/accounts/signup/", {**ACCOUNT, "next": path})
    assert client.get(answer["location"])["location"] == project.get_absolute_url()
    erin = User.objects.get(username="erin")
    assert projects_of(erin, Role.EDITOR).get() == project
    assert Invitation.objects.get().uses == 1


def test_one_link_makes_one_account(boss: User) -> None:
    """Also when a second browser has opened it before."""
    first, second, path = Client(), Client(), link(boss)
    for client in (first, second):
        client.get(path)
    assert signed_up(first)
    answer = second.post("/accounts/signup/", {**ACCOUNT, "username": "frank"})
    assert "by invitation" in answer.content.decode()
    assert not User.objects.filter(username="frank").exists()


def test_an_account_is_not_kept_when_the_link_was_used_up_meanwhile(
    boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    client.get(link(boss))
    monkeypatch.setattr(Invitation, "accept", lambda *_: False)
    assert client.post("/accounts/signup/", ACCOUNT).status_code == 410
    assert not User.objects.filter(username="erin").exists()


def test_an_operator_lets_people_into_the_studio(boss: User) -> None:
    page = signed_in(boss).post("/settings/invitations/new/", {"most": "50"}).content.decode()
    found = re.search(r'value="http://localhost:8000(/invite/[\w-]+/)"', page)
    assert found
    client = Client()
    client.get(found[1])
    assert signed_up(client)
    assert not projects_of(User.objects.get(username="erin")).exists()
