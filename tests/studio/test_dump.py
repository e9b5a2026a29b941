"""Who has the database, but not the installation's key, has nothing that opens anything."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client

from studio.accounts.models import SignInLink, User
from studio.endpoints.models import Endpoint
from studio.people.models import Invitation
from studio.runs.models import Run
from tests.studio.api.conftest import Program, program
from tests.studio.conftest import save, signed_in

pytestmark = pytest.mark.django_db

PASSWORD = "of the rabbit hole, well hidden"
KEY = "sk-the-key-of-a-model"


def dump() -> list[str]:
    """All that is in any column of any table."""
    values = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                values += [
                    bytes(each).decode("latin-1")
                    if isinstance(each, bytes | memoryview)
                    else str(each)
                    for each in row
                ]
    return values


@pytest.fixture
def handed_out(run: Run, alice: User) -> dict[str, str]:
    """What is given to people and programs, once each, in the way that they get it."""
    save(run, "poster.html", b"<h1>Poster</h1>")
    alice.set_password(PASSWORD)
    alice.save()
    browser, home = signed_in(alice), f"/projects/{run.project_id}/"
    boss = signed_in(User.objects.create_user("boss", is_staff=True))
    link = browser.post(f"{home}shares/make/", {"days": "never", "password": PASSWORD})
    token = browser.post("/settings/tokens/", {"name": "Laptop", "scope": "write", "days": "90"})
    body = '{"url": "https://hooks.example.org/a"}'
    endpoint = Endpoint(name="one", base_url="https://models.example")
    endpoint.key = KEY
    endpoint.save()
    file = browser.get(f"{home}open/poster.html")["location"]
    return {
        "share": found(r"/s/([\w-]{32,})/", link.content.decode()),
        "token": token.context["made"],
        "invitation": invited(browser.post(f"{home}people/links/")),
        "newcomers": invited(boss.post("/settings/invitations/new/")),
        "sign-in": SignInLink.objects.issue(alice),
        "webhook": program(alice).post("webhooks", body).json()["secret"],
        "address": file.split("/")[3],
        "key": KEY,
        "password": PASSWORD,
    }


def invited(answer) -> str:
    return found(r"/invite/([\w-]{32,})/", answer.content.decode())


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match
    return match[1]


def test_nothing_that_was_handed_out_is_in_a_dump(handed_out: dict[str, str], run: Run) -> None:
    values = dump()
    # It does look everywhere.
    assert run.project_id in values
    assert "https://hooks.example.org/a" in values
    for name, secret in handed_out.items():
        # What stands before a secret to be recognised is not a part of it.
        bare = re.sub(r"^(ss_|whsec_)", "", secret)
        assert [value for value in values if bare in value] == [], name


def test_what_is_in_a_dump_opens_nothing(handed_out: dict[str, str]) -> None:
    """What opens something is really opened by it, and by no value of the tables that keep it."""
    stranger = Client(HTTP_HOST="localhost:8000")
    kept = [value for value in dump() if re.fullmatch(r"[0-9a-f]{64}|gAAAA[\w=-]+", value)]
    assert len(kept) >= len(("share", "sealed", "token", "two invitations", "sign-in", "hook"))

    def opens(secret: str) -> dict[str, bool]:
        return {
            "share": stranger.get(f"/s/{secret}/").status_code != 404,
            "token": Program(secret).get("me").status_code == 200,
            "invitation": stranger.get(f"/invite/{secret}/").status_code == 200,
            "sign-in": stranger.get(f"/enter/{secret}/").status_code == 302,
        }

    for secret in kept:
        assert not any(opens(secret).values())
    for name in ("share", "token", "invitation", "sign-in"):
        assert opens(handed_out[name])[name], name
    assert Invitation.objects.count() == 2
