from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from studio.accounts.models import SignInLink, User

pytestmark = pytest.mark.django_db


def printed_link() -> str:
    out = StringIO()
    call_command("signin_link", "--base-url", "http://localhost:8000/", stdout=out)
    return out.getvalue().strip()


def test_a_link_that_has_expired_does_not_sign_in(alice: User) -> None:
    token = SignInLink.objects.issue(alice, lifetime=timedelta(seconds=-1))
    assert SignInLink.objects.redeem(token) is None


def test_a_link_is_not_in_the_database_as_it_is(alice: User) -> None:
    token = SignInLink.objects.issue(alice)
    assert token not in str(list(SignInLink.objects.values()))
    assert SignInLink.objects.redeem(token) == alice


def test_the_first_link_makes_the_administrator_and_later_ones_are_for_the_same(client) -> None:
    first, second = printed_link(), printed_link()
    assert first != second
    assert first.startswith("http://localhost:8000/enter/")
    user = User.objects.get()
    assert user.is_superuser
    assert not user.has_usable_password()
    assert client.get(first.removeprefix("http://localhost:8000")).status_code == 302


def test_where_the_administrator_was_locked_out_another_one_is_made(client) -> None:
    User.objects.create_superuser("admin", is_active=False)
    User.objects.create_user("admin2")
    link = printed_link()
    assert client.get(link.removeprefix("http://localhost:8000")).status_code == 302
    assert User.objects.get(is_superuser=True, is_active=True).username == "admin3"


def test_a_link_for_somebody_who_was_locked_out_does_not_sign_in(alice: User, client) -> None:
    token = SignInLink.objects.issue(alice)
    alice.is_active = False
    alice.save()
    assert client.get(f"/enter/{token}/").status_code == 410
