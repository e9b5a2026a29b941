"""Everybody × every route and socket there is: who may not look finds nothing and changes nothing.

The routes are read from the configuration of the addresses, so that none can be forgotten; what
each of them does for whom it is made, `test_access.py` and `api/test_access.py` ask one by one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import pytest
from allauth.usersessions.models import UserSession
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.apps import apps
from django.contrib.admin import site
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.urls.resolvers import URLResolver

from studio import asgi
from studio.accounts.models import User
from studio.api.models import Token, Webhook
from studio.projects.models import Member, Project, Role
from studio.runs.models import Run
from tests.studio.api.conftest import program
from tests.studio.api.test_access import ALL as OPERATIONS
from tests.studio.api.test_access import SHARED as OF_PROJECTS
from tests.studio.api.test_access import ask
from tests.studio.conftest import shared, signed_in
from tests.studio.test_access import LIBRARY, MEMBERS, OWNED, POSTS, address, made

__all__ = ["made"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
CHANGING = METHODS[3:]
FORM = {"prompt": "More", "title": "New", "version": "1", "text": "In blue", "days": "never"}
# What is written when somebody is looked at, not when they change something.
SEEN = (Session, UserSession, Token)


def everything() -> dict[str, list[str]]:
    """All rows of all tables but those."""
    return {
        model._meta.label: sorted(map(repr, model._base_manager.values_list()))
        for model in apps.get_models(include_auto_created=True)
        if model not in SEEN
    }


@pytest.fixture
def cast(made: Run) -> dict[str, Client]:
    """Everybody who is not let into Alice's project, in their browsers and programs."""
    project, people = made.project, {}
    Webhook.objects.create(user=project.owner, url="https://a.example", secret="x")
    for name in ("charlie", "removed", "viewer", "editor"):
        people[name] = User.objects.create_user(name)
    for name, role in (("removed", Role.EDITOR), ("viewer", Role.VIEWER), ("editor", Role.EDITOR)):
        Member.objects.create(project=project, user=people[name], role=role)
    browsers = {name: signed_in(user) for name, user in people.items()}
    browsers["removed"].get(project.get_absolute_url())
    Member.objects.get(user=people["removed"]).delete()
    browsers["visitor"] = Client(HTTP_HOST="localhost:8000")
    for name, user in [*people.items(), ("owner", project.owner)]:
        secret = Token.objects.issue(user, "Test")
        headers = {"HTTP_HOST": "localhost:8000", "HTTP_AUTHORIZATION": f"Bearer {secret}"}
        browsers[f"token of {name}"] = Client(**headers)
    return browsers


def visits(
    client: Client, run: Run, methods: tuple[str, ...], names: Collection[str] = OWNED
) -> dict[tuple[str, str], int]:
    """What each route of a project says to each method."""
    form = {**FORM, "project": run.project_id}
    found = {}
    for name in names:
        url = address(name, run)
        for method in methods:
            if method in ("GET", "HEAD", "POST"):
                answer = getattr(client, method.lower())(url, form)
            else:
                answer = client.generic(method, url)
            found[name, method] = answer.status_code
    return found


@pytest.mark.parametrize("who", ["charlie", "removed"])
def test_who_was_not_let_in_finds_nothing(who: str, made: Run, cast: dict[str, Client]) -> None:
    before = everything()
    found = visits(cast[who], made, METHODS)
    # A route that has no such method may say that, as it does to everybody.
    assert {each for each, code in found.items() if code not in (404, 405)} == set()
    asked = {(name, "POST" if name in POSTS else "GET") for name in OWNED}
    assert {each for each in asked if found[each] != 404} == set()
    assert everything() == before


@pytest.mark.parametrize(
    "who",
    ["visitor", *(f"token of {name}" for name in ("charlie", "removed", "viewer", "owner"))],
)
def test_who_is_not_signed_in_is_sent_to_do_so(who: str, made: Run, cast) -> None:
    before = everything()
    assert set(visits(cast[who], made, METHODS).values()) == {302}
    assert everything() == before


def test_a_viewer_changes_nothing_by_any_method(made: Run, cast: dict[str, Client]) -> None:
    before = everything()
    looked = visits(cast["viewer"], made, METHODS[:3])
    assert {looked[name, "GET"] for name in set(OWNED) - POSTS} <= {200, 302}
    # To leave it and to make a copy is a viewer's own business.
    names = sorted(set(OWNED) - MEMBERS - {"projects:copy"})
    found = visits(cast["viewer"], made, CHANGING, names)
    assert {each for each, code in found.items() if code not in (403, 405)} == set()
    assert everything() == before


def test_looking_changes_nothing_for_an_editor_and_the_owner(
    made: Run, cast: dict[str, Client], alices_browser: Client
) -> None:
    before = everything()
    for client in (cast["editor"], alices_browser):
        visits(client, made, METHODS[:3])
    assert everything() == before


@pytest.mark.parametrize("who", ["charlie", "removed", "viewer"])
def test_nobody_gets_at_files_of_others_through_the_library(who: str, made: Run, cast) -> None:
    def files() -> dict[str, list[str]]:
        return {
            name: rows
            for name, rows in everything().items()
            # Names for tags are everybody's own, and so is what a viewer marks with them.
            if name != "library.Tag" and (who != "viewer" or not name.startswith("library."))
        }

    form = {"file": made.project.artifacts.get().pk, "project": made.project_id, "words": "a"}
    before = files()
    for name in sorted(LIBRARY):
        for way in ({}, {"on": "1"}):
            assert cast[who].post(reverse(name), form | way).status_code < 500
    assert files() == before


# The API


def test_no_program_of_others_finds_or_changes_anything(made: Run, cast) -> None:
    removed = program(User.objects.get(username="removed"))
    before = everything()
    found = {name: ask(removed, name, made).status_code for name in OF_PROJECTS}
    assert {name for name, code in found.items() if code != 404} == set()
    assert everything() == before


def test_a_viewers_program_changes_nothing(made: Run, cast) -> None:
    viewer = program(User.objects.get(username="viewer"))
    before = everything()
    for name in OF_PROJECTS:
        if name == "follow_run":
            continue
        expected = (200, 302) if OPERATIONS[name][0] == "GET" else (403,)
        assert ask(viewer, name, made).status_code in expected, name
    assert everything() == before


# Forms of other sites


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """All routes that there are, whoever made them, each with its path."""
    for entry in resolver.url_patterns:
        path = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield path, entry
        else:
            yield from patterns(entry, path)


def filled_in(path: str, run: Run) -> str:
    """A path of this pattern: that its object is there does not matter."""
    there = {"slug": run.project_id, "int": "1", "path": "a.html"}
    there |= dict.fromkeys(("uuid", "uuidstr"), str(run.pk))
    named = {"app_label": "runs", "uidb36": "1"}
    filled = re.sub(r"\(\?P<(\w+)>[^)]*\)", lambda found: named.get(found[1], "x"), path)
    filled = re.sub(r"<(?:(\w+):)?\w+>", lambda found: there.get(found[1] or "str", "x"), filled)
    return "/" + re.sub(r"[\^$]", "", filled)


# Browsers don't send a token by themselves, so no other site can.
OF_PROGRAMS = "api/v1/"
EVERY = dict(patterns(get_resolver()))


def test_all_routes_are_visited(made: Run) -> None:
    """The paths that are made of the patterns do lead to them."""
    for path in EVERY:
        found = get_resolver().resolve(filled_in(path, made))
        assert found.route.replace("^", "") == path.replace("^", "")


def test_no_form_of_another_site_does_anything_on_any_route(made: Run) -> None:
    boss = User.objects.create_superuser("boss")
    signed, unknown = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    signed.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    before = everything()
    for path in EVERY:
        for client in (signed, unknown):
            for method in CHANGING:
                code = client.generic(method, filled_in(path, made)).status_code
                allowed = (401, 403, 404, 405) if path.startswith(OF_PROGRAMS) else (403,)
                assert code in allowed, (path, method, code)
    assert everything() == before


def test_only_what_takes_no_cookie_does_without_the_check() -> None:
    exempt = {
        path for path, pattern in EVERY.items() if getattr(pattern.callback, "csrf_exempt", False)
    }
    assert exempt
    assert {path for path in exempt if not path.startswith(OF_PROGRAMS)} == set()


# The administration


def administered(run: Run) -> Iterator[str]:
    """Every address there is for operators, of what there is and of what there is not."""
    for path in EVERY:
        if path.startswith("admin/"):
            yield filled_in(path, run)
    for model in site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for key in model._base_manager.values_list("pk", flat=True)[:1]:
            yield from (reverse(f"{name}_{what}", args=[key]) for what in ("change", "delete"))


@pytest.mark.parametrize("who", ["owner", "charlie", "editor", "visitor", "token of owner"])
def test_only_operators_find_the_administration(
    who: str, made: Run, cast: dict[str, Client], alices_browser: Client
) -> None:
    client = {**cast, "owner": alices_browser}[who]
    addresses = set(administered(made))
    assert len(addresses) > 30
    before = everything()
    signed_out = "token" in who or who == "visitor"
    for path in sorted(addresses):
        for method in METHODS if who == "charlie" else ("GET", "POST"):
            answer = client.generic(method, path)
            assert answer.status_code == (302 if signed_out else 404), (method, path)
            assert not signed_out or answer["Location"].startswith(("/accounts/login/", "/admin/"))
    assert everything() == before


# Sockets


class Socket(ApplicationCommunicator):
    def __init__(self, path: str, **headers: str) -> None:
        said = {"host": "localhost:8000", "origin": "http://localhost:8000"} | headers
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in said.items() if value],
        }
        super().__init__(asgi.application, scope)

    async def accepted(self) -> bool:
        await self.send_input({"type": "websocket.connect"})
        return (await self.receive_output(10))["type"] == "websocket.accept"

    async def code(self) -> int:
        """How it is closed, with nothing said before."""
        message = await self.receive_output(10)
        assert message["type"] == "websocket.close"
        return message["code"]


def socket_path(route: URLPattern, run: Run, link: str = "/s/x/") -> str:
    path = filled_in(str(route.pattern), run)
    return link + path.removeprefix("/s/x/") if path.startswith("/s/x/") else path


def cookies(client: Client) -> str:
    return "; ".join(f"{name}={item.value}" for name, item in client.cookies.items())


@pytest.mark.parametrize("route", asgi.with_cookie.routes, ids=str)
async def test_no_socket_opens_for_a_page_of_another_origin(
    route: URLPattern, made: Run, project: Project, alices_browser: Client
) -> None:
    link = (await database_sync_to_async(shared)(project))[1]
    path, cookie = socket_path(route, made, link), cookies(alices_browser)
    own = Socket(path, cookie=cookie)
    assert await own.accepted()
    await own.send_input({"type": "websocket.disconnect", "code": 1001})
    await own.wait(10)
    artifacts = f"http://{made.project_id}.artifacts.localhost:8000"
    others = ("http://evil.example", "http://localhost:9000", "http://localhost", artifacts)
    for origin in (*others, "null", ""):
        assert not await Socket(path, cookie=cookie, origin=origin).accepted(), origin
    forged = {"host": "evil.example", "origin": "http://evil.example"}
    assert not await Socket(path, cookie=cookie, **forged).accepted()
    on_files = {"host": artifacts.removeprefix("http://"), "origin": artifacts}
    assert not await Socket(path, cookie=cookie, **on_files).accepted()


@pytest.mark.parametrize("who", ["visitor", "charlie", "removed"])
@pytest.mark.parametrize("route", asgi.with_cookie.routes, ids=str)
async def test_no_socket_says_anything_to_who_was_not_let_in(
    route: URLPattern, who: str, made: Run, cast: dict[str, Client]
) -> None:
    socket = Socket(socket_path(route, made), cookie=cookies(cast[who]))
    assert await socket.accepted()
    assert await socket.code() == 4404


@pytest.mark.parametrize("route", asgi.with_token.routes, ids=str)
async def test_no_socket_says_anything_to_a_program_of_others(
    route: URLPattern, made: Run, cast: dict[str, Client]
) -> None:
    for who in ("charlie", "removed"):
        given = cast[f"token of {who}"].defaults["HTTP_AUTHORIZATION"]
        socket = Socket(socket_path(route, made), origin="", authorization=given)
        assert await socket.accepted()
        assert await socket.code() == 4404
    await Token.objects.all().adelete()
    given = cast["token of owner"].defaults["HTTP_AUTHORIZATION"]
    refused = Socket(socket_path(route, made), origin="", authorization=given)
    assert not await refused.accepted()
