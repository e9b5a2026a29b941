"""Who may do what through the API: each operation, for tokens of all kinds and of everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, reverse

from studio.accounts.models import User
from studio.api import v1
from studio.api.models import Delivery, Scope, Token, Webhook
from studio.projects.models import Input, Member, Role
from studio.runs.models import Run
from tests.studio.api.conftest import Program, program
from tests.studio.conftest import save

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# Those that are not about anybody's object.
GENERAL = {"list_projects", "create_project", "me", "list_webhooks", "create_webhook"}
BODIES = {
    "rename_project": '{"title": "Mine"}',
    "change_webhook": '{"active": false}',
    "create_webhook": '{"url": "https://hooks.example.org/a"}',
}


def operations() -> dict[str, tuple[str, str]]:
    """The method and the path of each, by its name."""
    return {
        about["operationId"]: (method.upper(), path)
        for path, methods in v1.api.document()["paths"].items()
        for method, about in methods.items()
    }


ALL = operations()
OWNED = sorted(set(ALL) - GENERAL)
CHANGES = sorted(name for name, (method, _) in ALL.items() if method != "GET")
# A webhook is its user's alone: no project's member comes near it.
SHARED = [name for name in OWNED if "webhook" not in name and name != "list_deliveries"]


def test_every_route_is_an_operation_of_the_matrix() -> None:
    routes = {each.name for each in v1.urlpatterns if isinstance(each, URLPattern)}
    assert routes == {*ALL, "openapi", "missing"}


@pytest.fixture
def made(run: Run) -> Run:
    save(run, "poster.html", b"<h1>Poster</h1>")
    Input.objects.create(project=run.project, name="a.csv", digest="0" * 64, size=1)
    Webhook.objects.create(user=run.project.owner, url="https://a.example", secret="x")
    return run


def ask(asker: Program, name: str, run: Run):
    method, path = ALL[name]
    there: dict[str, object] = {
        "project_id": run.project_id,
        "run_id": run.pk,
        "artifact_id": run.project.artifacts.get().pk,
        "input_id": run.project.inputs.get().pk,
        "webhook_id": Webhook.objects.get().pk,
    }
    address = re.sub(r"{(\w+)}", lambda found: str(there[found[1]]), path)
    if method == "POST" and name not in BODIES:
        file = SimpleUploadedFile("b.csv", b"1,2,3\n")
        return asker.post(address, {"prompt": "More", "files": file})
    return asker.ask(method, address, BODIES.get(name))


def untouched(run: Run) -> bool:
    run.refresh_from_db()
    return (
        (run.status, run.stop_requested, run.project.title, run.project.runs.count())
        == ("running", False, "A poster for the summer party", 1)
        and run.project.inputs.count() == 1
        and Webhook.objects.get().active
    )


@pytest.mark.parametrize("name", sorted(set(ALL) - {"follow_run"}))
def test_alice_can_use_what_is_hers(name: str, made: Run, alices: Program) -> None:
    # Her run still goes on, so another one has to wait, and so has what runs build upon.
    waits = {"create_run", "retry_run", "remove_input"}
    expected = {409} if name in waits else {200, 201, 204, 302}
    assert ask(alices, name, made).status_code in expected


@pytest.mark.parametrize("name", OWNED)
def test_charlie_gets_404_for_what_is_alices(name: str, made: Run, charlies: Program) -> None:
    answer = ask(charlies, name, made)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert untouched(made)


@pytest.mark.parametrize("name", sorted(ALL))
def test_without_a_valid_token_there_is_nothing(
    name: str, made: Run, alice: User, alices_browser: Client
) -> None:
    revoked = program(alice)
    Token.objects.all().delete()
    expired = program(alice, lifetime=timedelta(seconds=-1))
    of_nobody = program(User.objects.create_user("gone", is_active=False))
    cookie = Program("", alices_browser)
    for asker in (revoked, expired, of_nobody, cookie, Program("ss_made-up"), Program("ü\0")):
        answer = ask(asker, name, made)
        assert (answer.status_code, answer["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["code"] == "unauthorized"
    assert untouched(made)


@pytest.mark.parametrize("name", CHANGES)
def test_a_token_for_reading_changes_nothing(name: str, made: Run, alice: User) -> None:
    assert ask(program(alice, Scope.READ), name, made).status_code == 403
    assert untouched(made)


@pytest.fixture
def member(made: Run) -> Callable[[Role], Program]:
    def let_in(role: Role) -> Program:
        bob = User.objects.create_user("bob")
        Member.objects.create(project=made.project, user=bob, role=role)
        return program(bob)

    return let_in


@pytest.mark.parametrize("name", sorted(set(SHARED) - {"follow_run"}))
def test_a_viewer_looks_at_everything_and_changes_nothing(name: str, made: Run, member) -> None:
    expected = {403} if name in CHANGES else {200, 302}
    assert ask(member(Role.VIEWER), name, made).status_code in expected
    assert untouched(made)


@pytest.mark.parametrize("name", sorted(set(SHARED) & set(CHANGES)))
def test_an_editor_does_what_alice_does_but_delete(name: str, made: Run, member) -> None:
    code = ask(member(Role.EDITOR), name, made).status_code
    assert (code == 403) == (name == "delete_project")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
def test_a_member_is_told_what_they_may_do(role: Role, made: Run, member) -> None:
    bobs = member(role)
    (listed,) = bobs.get("projects").json()["items"]
    assert listed["role"] == role.name.lower()
    assert bobs.get(f"projects/{made.project_id}").json() == listed


def test_a_token_opens_no_page(made: Run, alices: Program) -> None:
    for page in ("start", "projects:list", "api:tokens", "api:reference"):
        answer = alices.get(reverse(page))
        assert (answer.status_code, answer["location"][:16]) == (302, "/accounts/login/")


def test_nobody_revokes_the_token_of_somebody_else(alices: Program, charlies_browser) -> None:
    token = Token.objects.get()
    assert charlies_browser.post(reverse("api:revoke", args=[token.pk])).status_code == 404
    assert alices.get("me").status_code == 200


def test_charlies_lists_do_not_show_what_is_alices(made: Run, charlies: Program) -> None:
    assert charlies.get("projects").json()["items"] == []
    assert charlies.get("webhooks").json() == []


def test_deliveries_are_their_users_alone(made: Run, alices: Program, charlies: Program) -> None:
    webhook = Webhook.objects.get()
    Delivery.objects.create(webhook=webhook, run=made, due=made.created)
    assert len(alices.get(f"webhooks/{webhook.pk}/deliveries").json()) == 1
    assert charlies.get(f"webhooks/{webhook.pk}/deliveries").status_code == 404
