"""Who may see and do what: each route of the app, for Alice, Charlie and somebody unknown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from studio.accounts.models import SignInLink, User
from studio.api import v1
from studio.people.models import Invitation
from studio.projects.models import Input, Member, Project, Role
from studio.projects.requests import begin_project
from studio.runs.models import Run
from studio.sharing.models import Share
from tests.studio.conftest import save, shared, signed_in

pytestmark = pytest.mark.django_db

PROVIDER = {"openid_connect_login", "openid_connect_callback"}
PUBLIC = PROVIDER | {
    "people:invited",
    *("notices:worker", "accounts:enter", "health", "set_language", "javascript-catalog"),
    *("notices:offline", "explore", "oembed", "robots"),
}
# What these show or change is their user's own; tests/studio/library tries what others have.
LIBRARY = {
    f"library:{name}"
    for name in (
        *("wall", "star", "tag", "delete", "undelete", "download", "copy", "move"),
        *("trash", "empty", "restore-files", "purge-files"),
    )
}
GENERAL = {"start", "models_help", "styleguide", "projects:list", "projects:create"} | LIBRARY
GENERAL |= {"notices:letters", "notices:subscribe", "notices:unsubscribe", "notices:preferences"}
# They show what is everybody's, and begin projects of one's own.
GENERAL |= {f"starting:{name}" for name in ("all", "point", "sentence", "write", "make")}
GENERAL |= {"api:reference", "api:tokens", "api:revoke", "api:webhooks", "api:remove-webhook"}
# Everybody's own, whoever that is, and for operators.
SETTINGS = {f"accounts:{name}" for name in ("profile", "usage", "data", "export", "delete")}
STAFF = {f"people:{name}" for name in ("newcomers", "new-newcomers", "revoke-newcomers")}


def routes(resolver: URLResolver, namespace: str = "") -> list[str]:
    """The names of our routes; allauth, the administration and the API have tests of their own."""
    found = []
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            found.append(namespace + str(entry.name))
        elif (
            not getattr(entry.urlconf_name, "__name__", "").startswith("allauth.")
            and entry.urlconf_name is not v1.urlpatterns
            and entry.namespace != "admin"
        ):
            found += routes(entry, f"{entry.namespace}:" if entry.namespace else namespace)
    return found


# Whoever has the link of a share may go there: see sharing/test_visitors.py.
SHARED = {name for name in routes(get_resolver()) if name.startswith("shared:")}
OWNED = sorted(set(routes(get_resolver())) - PUBLIC - GENERAL - SHARED - SETTINGS - STAFF)
# What of a project is its owner's alone, and what only those whom the owner let in can do.
OWNERS = {
    "people:new-link",
    "people:revoke-link",
    "people:role",
    "people:remove",
    "projects:delete",
    "library:restore",
    "library:purge",
}
MEMBERS = {"people:leave"}
POSTS = {
    *OWNERS,
    *MEMBERS,
    "artifacts:fix",
    "artifacts:pack",
    "artifacts:restore",
    "projects:copy-input",
    "projects:remove-input",
    "projects:undo-input",
    "projects:rename",
    "projects:copy",
    "runs:create",
    "runs:stop",
    "runs:go-on",
    "runs:retry",
    "runs:say",
    "runs:take-back",
    "sharing:make",
    "sharing:change",
    "sharing:revoke",
}


@pytest.fixture
def made(run: Run) -> Run:
    save(run, "poster.html", b"<h1>Poster</h1>")
    let_dora_in(run)
    Input.objects.create(project=run.project, name="a.csv", digest="0" * 64, size=1)
    shared(run.project)
    return run


def let_dora_in(run: Run, name: str = "") -> None:
    """Somebody else whom Alice let into her project, and a link for one more."""
    dora = User.objects.create_user("dora", first_name=name)
    Member.objects.create(project=run.project, user=dora, role=Role.VIEWER)
    Invitation.objects.issue(run.project.owner, run.project)


def address(name: str, run: Run) -> str:
    pattern = name.partition(":")[0]
    if name in {"runs:stop", "runs:go-on", "runs:retry", "runs:events", "runs:trajectory"}:
        return reverse(name, args=[run.pk])
    if name == "runs:say":
        return reverse(name, args=[run.pk])
    if name == "runs:replay":
        return reverse(name, args=[run.project_id, run.number])
    if name == "runs:take-back":
        return reverse(name, args=[run.pk, 1])
    args: list[object] = [run.project_id]
    if name in {"people:role", "people:remove"}:
        args.append(run.project.members.get(user__username="dora").pk)
    if name == "people:revoke-link":
        args.append(run.project.invitations.get().pk)
    if pattern == "artifacts" and name not in {"artifacts:zip", "artifacts:whole"}:
        args.append("poster.html")
    if name in {"sharing:change", "sharing:revoke"}:
        args.append(Share.objects.filter(project=run.project_id).latest("pk").pk)
    if name.endswith("input") and name != "projects:undo-input":
        args.append("a.csv")
    return reverse(name, args=args)


def visit(client: Client, name: str, run: Run) -> int:
    method = client.post if name in POSTS else client.get
    form = {"prompt": "More", "title": "New", "version": "1", "text": "In blue", "days": "never"}
    form["project"] = run.project_id
    return method(address(name, run), form).status_code


@pytest.mark.parametrize("name", OWNED)
def test_alice_can_use_what_is_hers(name: str, made: Run, alices_browser: Client) -> None:
    # Her run still goes on, so another one has to wait, and so has what runs build upon.
    waits = {
        "projects:copy",
        "runs:create",
        "runs:retry",
        "artifacts:restore",
        "projects:remove-input",
    }
    pointless = {"artifacts:fix", "projects:undo-input", "library:purge"}
    expected = {409} if name in waits else {422} if name in pointless else {200, 204, 302}
    expected = {404} if name in MEMBERS else expected  # She can't leave what is hers.
    assert visit(alices_browser, name, made) in expected


@pytest.mark.parametrize("name", OWNED)
def test_charlie_gets_404_for_what_is_alices(
    name: str, made: Run, charlies_browser: Client
) -> None:
    assert visit(charlies_browser, name, made) == 404
    made.refresh_from_db()
    assert (made.status, made.stop_requested) == ("running", False)
    assert Project.objects.get().title == "A poster for the summer party"
    assert Share.objects.get().revoked is None


@pytest.fixture
def member(made: Run) -> Callable[[Role], Client]:
    def let_in(role: Role) -> Client:
        bob = User.objects.create_user("bob")
        Member.objects.create(project=made.project, user=bob, role=role)
        return signed_in(bob)

    return let_in


@pytest.mark.parametrize("name", OWNED)
def test_a_viewer_looks_at_everything_and_changes_nothing(name: str, made: Run, member) -> None:
    bob = member(Role.VIEWER)
    # A copy is a project of their own, and like everybody else's waits for the request.
    allowed = {200, 302, 409} if name == "projects:copy" else {200, 302}
    forbidden = name in POSTS - MEMBERS - {"projects:copy"}
    assert visit(bob, name, made) in ({403} if forbidden else allowed)
    made.refresh_from_db()
    assert (made.status, made.stop_requested) == ("running", False)


@pytest.mark.parametrize("name", sorted(POSTS))
def test_an_editor_does_what_alice_does_but_what_is_the_owners(
    name: str, made: Run, member
) -> None:
    code = visit(member(Role.EDITOR), name, made)
    assert (code == 403) == (name in OWNERS)


@pytest.mark.parametrize("name", sorted(STAFF))
def test_who_runs_the_studio_alone_lets_people_into_it(
    name: str, alice: User, charlies_browser: Client
) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    Invitation.objects.issue(boss)
    args = [Invitation.objects.get().pk] if name == "people:revoke-newcomers" else []
    path = reverse(name, args=args)
    for client, code in ((Client(), 302), (charlies_browser, 404), (signed_in(boss), 200)):
        method = client.get if name == "people:newcomers" else client.post
        assert method(path).status_code == code


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_settings_are_for_who_is_signed_in(name: str, alices_browser: Client) -> None:
    method = "post" if name in {"accounts:export", "accounts:delete"} else "get"
    answer = getattr(Client(), method)(reverse(name))
    assert answer["location"].startswith("/accounts/login/?next=")
    expected = 422 if name == "accounts:delete" else 200
    assert getattr(alices_browser, method)(reverse(name)).status_code == expected


def test_a_viewer_takes_a_file_along_into_a_project_of_their_own(made: Run, member) -> None:
    bob = member(Role.VIEWER)
    mine = begin_project(User.objects.get(username="bob"), "Mine", []).project
    answer = bob.post(address("projects:copy-input", made), {"project": mine.pk})
    assert answer.status_code == 302
    assert mine.inputs.get().name == "a.csv"


def test_a_viewer_is_told_whom_to_ask(made: Run, member) -> None:
    answer = member(Role.VIEWER).post(address("projects:rename", made), {"title": "Mine"})
    assert "Ask its owner" in answer.content.decode()


@pytest.mark.parametrize("name", OWNED)
def test_who_is_not_signed_in_is_asked_to(name: str, made: Run) -> None:
    method = Client().post if name in POSTS else Client().get
    answer = method(address(name, made))
    assert answer.status_code == 302
    assert answer["location"].startswith("/accounts/login/?next=")


@pytest.mark.parametrize("name", sorted(POSTS))
def test_a_form_of_another_site_is_refused(name: str, made: Run, alice) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(address(name, made), {"prompt": "x"}).status_code == 403


@pytest.mark.parametrize("name", sorted(POSTS))
def test_what_changes_something_is_not_done_by_looking(
    name: str, made: Run, alices_browser: Client
) -> None:
    assert alices_browser.get(address(name, made)).status_code == 405


def test_charlies_lists_do_not_show_alices_projects(made: Run, charlies_browser: Client) -> None:
    for path in ("/", "/projects/"):
        assert "summer party" not in charlies_browser.get(path).content.decode()


def test_every_page_has_a_strict_policy(made: Run, alices_browser: Client) -> None:
    for name in ("start", "projects:list", "models_help"):
        policy = alices_browser.get(reverse(name))["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-src *.artifacts.localhost:*" in policy


def test_a_one_time_link_signs_in_once(alice, client: Client) -> None:
    token = SignInLink.objects.issue(alice)
    answer = client.get(f"/enter/{token}/")
    assert (answer.status_code, answer["location"]) == (302, "/")
    assert client.get("/").status_code == 200
    again = Client().get(f"/enter/{token}/")
    assert again.status_code == 410


def test_sign_up_is_closed_unless_opened(client: Client, settings) -> None:
    form = {"username": "bob", "password1": "of the builders", "password2": "of the builders"}
    client.post("/accounts/signup/", form)
    assert client.get("/").status_code == 302
    settings.SIGNUP = "open"
    client.post("/accounts/signup/", form)
    assert client.get("/").status_code == 200


def test_the_sign_in_page_shows_the_way_to_sign_up_where_it_is_open(
    client: Client, settings
) -> None:
    assert "/accounts/signup/" not in client.get("/accounts/login/").content.decode()
    settings.SIGNUP = "open"
    page = client.get("/accounts/login/?next=/projects/").content.decode()
    assert 'href="/accounts/signup/?next=%2Fprojects%2F"' in page
