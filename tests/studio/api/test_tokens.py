"""Tokens and how often they may be used."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis.exceptions import ConnectionError as BrokerAway

from studio.api import pages, reference, throttling, v1
from studio.api.models import Scope, Token
from tests.studio.api.conftest import Program, program

pytestmark = pytest.mark.django_db


def made_on_the_page(browser: Client, **form: str) -> str:
    page = browser.post(
        "/settings/tokens/", {"name": "Laptop", "scope": "write", "days": "30"} | form
    )
    return page.context["made"]


def test_a_new_token_is_shown_once_and_only_its_hash_is_kept(alices_browser: Client) -> None:
    secret = made_on_the_page(alices_browser)
    assert secret.startswith("ss_")
    assert len(secret) >= 43
    assert secret not in alices_browser.get("/settings/tokens/").content.decode()
    row = Token.objects.values().get()
    assert secret not in str(row)
    assert Program(secret).get("me").json()["token"] == "Laptop"


def test_a_token_ends_when_it_was_meant_to(alices_browser: Client) -> None:
    secret = made_on_the_page(alices_browser)
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert Program(secret).get("me").status_code == 401
    assert "expired" in alices_browser.get("/settings/tokens/").content.decode()
    for_ever = made_on_the_page(alices_browser, days="")
    assert Program(for_ever).get("me").json()["expires"] is None


def test_a_revoked_token_stops_working_at_once(alices_browser: Client) -> None:
    secret = made_on_the_page(alices_browser)
    answer = alices_browser.post(reverse("api:revoke", args=[Token.objects.get().pk]))
    assert answer["location"] == "/settings/tokens/"
    assert Program(secret).get("me").status_code == 401


@pytest.mark.parametrize(
    "form", [{"name": ""}, {"name": "x" * 61}, {"scope": "all"}, {"days": "9"}]
)
def test_a_form_that_is_not_right_makes_no_token(
    form: dict[str, str], alices_browser: Client
) -> None:
    assert made_on_the_page(alices_browser, **form) == ""
    assert not Token.objects.exists()


def test_nobody_has_more_tokens_than_anybody_could_watch_over(
    alices_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST", 1)
    assert made_on_the_page(alices_browser)
    assert not made_on_the_page(alices_browser)
    assert Token.objects.count() == 1


def test_it_is_seen_when_a_token_was_last_used(alices: Program) -> None:
    row = Token.objects.get()
    assert row.used is None
    alices.get("me")
    first = Token.objects.get().used
    assert first is not None
    alices.get("me")
    assert Token.objects.get().used == first  # Not written with every request.


def test_who_asks_too_often_has_to_wait(
    alice, alices: Program, charlies: Program, settings
) -> None:
    settings.API_RATE = 3
    another = program(alice, Scope.READ)
    # However the minute falls: of so many some are too many, whichever token they come with.
    answers = [asker.get("me") for asker in (alices, another) * 4]
    late = [answer for answer in answers if answer.status_code == 429]
    assert late
    assert late[-1].json()["code"] == "too_many_requests"
    assert 1 <= int(late[-1]["retry-after"]) <= 60
    assert charlies.get("me").status_code == 200


def test_without_its_cache_the_api_works_uncounted(
    alices: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        def add(self, *args: object) -> None:
            raise BrokerAway

    monkeypatch.setattr(throttling, "cache", Away())
    assert alices.get("me").status_code == 200


def test_the_page_for_tokens_warns_of_none_and_names_all(alices_browser: Client) -> None:
    made_on_the_page(alices_browser)
    page = alices_browser.get("/settings/tokens/").content.decode()
    assert "Laptop" in page
    assert "never used" in page


def test_the_reference_tells_of_every_operation(alices_browser: Client) -> None:
    page = alices_browser.get("/api/").content.decode()
    document = alices_browser.get("/api/v1/openapi.json").json()
    for operations in document["paths"].values():
        for about in operations.values():
            assert f'id="{about["operationId"]}"' in page


def test_the_reference_shows_how_to_have_each_answer() -> None:
    groups = reference.groups(v1.api.document(), "https://studio.example/api/v1")
    found = {each.id: each for group in groups for each in group.operations}
    assert "-L -o" in found["download_artifact"].shell  # It leads elsewhere.
    assert "-N" in found["follow_run"].shell
    assert [each.name for each in found["follow_run"].gives.fields] == ["event", "id", "data"]
    assert found["list_projects"].gives.many
    assert not found["me"].gives.many
    assert found["me"].shell.endswith('\n  "https://studio.example/api/v1/me"')
