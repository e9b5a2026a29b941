"""Signing in through an identity provider: whom it lets in, and what is not believed."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.checks import run_checks
from django.test import Client

from studio.accounts.models import User
from studio.people.models import Invitation
from tests.studio.accounts.provider import CLIENT, SECRET, Provider, running
from tests.studio.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LOGIN = "/accounts/oidc/oidc/login/"
ERIN = {
    "sub": "42",
    "preferred_username": "erin",
    "given_name": "Erin",
    "family_name": "Example",
    "email": "erin@example.org",
    "email_verified": True,
}


@pytest.fixture
def provider(settings):
    with running() as provider:
        provider.person = dict(ERIN)
        use(settings, provider.url)
        yield provider


def use(settings, issuer: str, client: str = CLIENT, secret: str = SECRET) -> None:
    about = {**settings.OIDC_PROVIDER, "name": "Example ID", "client_id": client, "secret": secret}
    about["settings"] = {"server_url": issuer}
    settings.OIDC_ISSUER, settings.OIDC_PROVIDER = issuer, about
    apps = {"APPS": [about], "OAUTH_PKCE_ENABLED": True}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": apps}


def came_back(client: Client, provider: Provider, begin: str = LOGIN):
    """What the studio answers to somebody who comes back from the provider."""
    return client.get(provider.authorise(client.post(begin)["location"]))


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def test_who_is_known_there_signs_in_here(provider: Provider, settings) -> None:
    settings.SIGNUP = "open"
    client = Client(HTTP_HOST="localhost:8000")
    page = client.get("/accounts/login/?next=/projects/").content.decode()
    assert "Continue with Example ID" in page
    answer = came_back(client, provider, f"{LOGIN}?process=login&next=/projects/")
    assert answer["location"] == "/projects/"
    erin = User.objects.get()
    assert (erin.username, erin.shown_name, erin.email) == (
        "erin",
        "Erin Example",
        "erin@example.org",
    )
    assert not erin.has_usable_password()
    # The second time it is the same one, whatever they call themselves by then.
    provider.person["preferred_username"] = "erin2"
    again = Client()
    came_back(again, provider)
    assert is_in(again)
    assert User.objects.get() == erin
    # Nobody needs the token that was given for that, so it is not kept.
    assert not SocialToken.objects.exists()


def test_looking_at_the_address_begins_nothing(provider: Provider) -> None:
    client = Client()
    assert client.get(LOGIN).status_code == 200
    assert provider.asked == []
    forged = Client(enforce_csrf_checks=True)
    assert forged.post(LOGIN).status_code == 403


def test_browsers_let_the_form_lead_to_the_provider_and_nowhere_else(tmp_path: Path) -> None:
    program = """
import django
django.setup()
from django.test import Client
answer = Client(HTTP_HOST="localhost:8000").get("/robots.txt")
print(answer["content-security-policy"])
"""
    environment = {name: value for name, value in os.environ.items() if "STUDIO" not in name}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "studio.settings",
        "STUDIO_VAR": str(tmp_path),
        "STUDIO_OIDC_ISSUER": "https://id.example.org:8443/realms/studio/",
    }
    command = [sys.executable, "-c", program]
    policy = subprocess.check_output(command, env=environment, text=True).strip()
    assert "form-action 'self' https://id.example.org:8443" in policy.split("; ")


def refused(client: Client, answer) -> bool:
    told = answer.content.decode()
    return "That did not work" in told and not is_in(client) and not User.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"aud": "somebody else's"},
        {"iss": "https://elsewhere.example"},
        {"exp": 1},
    ],
)
def test_a_token_for_others_from_elsewhere_or_of_old_is_not_believed(
    wrong: dict, provider: Provider, settings
) -> None:
    settings.SIGNUP = "open"
    provider.token = wrong
    client = Client()
    assert refused(client, came_back(client, provider))


def test_an_answer_to_a_sign_in_that_another_browser_began_is_refused(
    provider: Provider, settings
) -> None:
    settings.SIGNUP = "open"
    theirs, mine = Client(), Client()
    back = provider.authorise(theirs.post(LOGIN)["location"])
    assert refused(mine, mine.get(back))
    # Also where the attacker has a state of the victim's own browser: the code is bound to another.
    state = provider.authorise(mine.post(LOGIN)["location"]).partition("&state=")[2]
    assert refused(mine, mine.get(f"{back.partition('&state=')[0]}&state={state}"))


def test_an_answer_counts_once(provider: Provider, settings) -> None:
    settings.SIGNUP = "open"
    client = Client()
    back = provider.authorise(client.post(LOGIN)["location"])
    client.get(back)
    client.post("/accounts/logout/")
    assert "That did not work" in client.get(back).content.decode()
    assert not is_in(client)


def test_who_turns_back_there_is_told_so_here(provider: Provider) -> None:
    client = Client()
    state = provider.authorise(client.post(LOGIN)["location"]).partition("&state=")[2]
    answer = client.get(f"{LOGIN}callback/?error=access_denied&state={state}", follow=True)
    assert "You did not sign in" in answer.content.decode()


def test_a_provider_that_is_away_is_said_to_be(provider: Provider, settings) -> None:
    use(settings, "http://127.0.0.1:9")
    client = Client()
    assert refused(client, client.post(LOGIN))
    use(settings, provider.url)
    back = provider.authorise(client.post(LOGIN)["location"])
    use(settings, "http://127.0.0.1:9")
    assert refused(client, client.get(back))


@pytest.mark.parametrize(
    ("policy", "domains", "person", "expected"),
    [
        ("closed", [], {}, False),
        ("invited", [], {}, False),
        ("open", [], {}, True),
        ("closed", ["example.org"], {}, True),
        ("closed", ["example.org"], {"email": "Erin@EXAMPLE.org"}, True),
        ("open", ["example.com"], {}, False),
        ("open", ["example.org"], {"email_verified": False}, False),
        ("open", ["example.org"], {"email_verified": "false"}, False),
        ("open", ["example.org"], {"email": "erin@notexample.org"}, False),
        ("open", ["example.org"], {"email": None}, False),
    ],
)
def test_the_policy_or_the_domain_says_who_may_make_an_account(
    policy: str, domains: list[str], person: dict, expected: bool, provider: Provider, settings
) -> None:
    settings.SIGNUP, settings.OIDC_DOMAINS = policy, domains
    provider.person |= person
    client = Client()
    came_back(client, provider)
    assert is_in(client) == expected
    assert User.objects.exists() == expected


@pytest.mark.parametrize("verified", [True, False, "true", "false", None])
def test_an_address_is_confirmed_only_where_that_is_said_plainly(
    verified: object, provider: Provider, settings
) -> None:
    settings.SIGNUP = "open"
    provider.person["email_verified"] = verified
    client = Client()
    came_back(client, provider)
    assert is_in(client)
    assert EmailAddress.objects.get().verified == (verified is True)


def test_whoever_is_invited_can_come_this_way(provider: Provider) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    client = Client()
    client.get(f"/invite/{Invitation.objects.issue(boss)}/")
    came_back(client, provider)
    assert is_in(client)
    assert Invitation.objects.get().uses == 1


def test_an_address_alone_opens_nobodys_account(provider: Provider, alice: User, settings) -> None:
    settings.SIGNUP = "open"
    User.objects.filter(pk=alice.pk).update(email=ERIN["email"])
    alice.emailaddress_set.create(email=ERIN["email"], verified=True, primary=True)
    client = Client()
    came_back(client, provider)
    assert not is_in(client)


def test_an_account_is_connected_and_disconnected(provider: Provider, alice: User) -> None:
    mine = signed_in(alice)
    assert "Connect it" in mine.get("/accounts/3rdparty/").content.decode()
    came_back(mine, provider, f"{LOGIN}?process=connect")
    assert SocialAccount.objects.get().user == alice
    another = Client()
    came_back(another, provider)
    assert is_in(another)
    mine.post("/accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_the_secret_is_neither_logged_nor_shown(
    provider: Provider, settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SIGNUP = "open"
    caplog.set_level(logging.DEBUG)
    client = Client()
    login = client.get("/accounts/login/").content.decode()
    back = came_back(client, provider)
    settings.OIDC_PROVIDER["secret"] = wrong = f"wrong-{SECRET}"
    failed = came_back(Client(), provider)
    assert "That did not work" in failed.content.decode()
    shown = login + back.content.decode() + failed.content.decode() + caplog.text
    assert SECRET not in shown
    assert wrong not in shown


def test_half_a_provider_is_a_mistake(settings) -> None:
    def problems() -> list[str]:
        return [each.msg for each in run_checks() if each.id == "studio.E009"]

    assert problems() == []
    use(settings, "https://id.example.org")
    assert problems() == []
    for wrong in (
        {"issuer": "", "client": "studio"},
        {"issuer": "https://id.example.org", "secret": ""},
        {"issuer": "http://id.example.org"},
    ):
        use(settings, **wrong)
        assert len(problems()) == 1
