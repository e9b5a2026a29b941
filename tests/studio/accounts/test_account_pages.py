"""The pages of accounts, as everybody meets them: all in our design, none in a library's words."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from django.urls import reverse

from studio.accounts.models import User
from tests.studio.conftest import signed_in

pytestmark = pytest.mark.django_db

FOR_ALL = [
    *("/accounts/login/", "/accounts/signup/", "/accounts/inactive/", "/accounts/confirm-email/"),
    *("/accounts/password/reset/", "/accounts/password/reset/done/"),
    *("/accounts/password/reset/key/done/", "/accounts/password/reset/key/a-b/"),
    *("/accounts/confirm-email/none/", "/accounts/3rdparty/login/cancelled/"),
]
FOR_USERS = [
    *("/accounts/logout/", "/accounts/reauthenticate/", "/accounts/email/"),
    *("/accounts/password/change/", "/accounts/sessions/"),
]
# allauth's, and who writes so is not us.
NOT_OURS = re.compile(r"Please|Bad Token|Reset My|reauthenticate to|您|Email地址|token 是|登出")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("path", FOR_ALL + FOR_USERS)
def test_each_page_is_in_our_design_and_words(path: str, language: str, alice: User) -> None:
    client = signed_in(alice) if path in FOR_USERS else Client()
    answer = client.get(path, headers={"accept-language": language})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'class="wordmark"' in page
    assert len(re.findall("<h1", page)) == 1
    assert not NOT_OURS.search(page)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    assert title
    assert bool(re.search("[\u4e00-\u9fff]", title[1])) == (language == "zh-CN")


def test_a_forgotten_password_is_set_anew_with_a_link(alice: User, mailoutbox) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    client = Client()
    answer = client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    assert answer["location"] == "/accounts/password/reset/done/"
    [letter] = mailoutbox
    assert letter.subject == "A new password for Sandbox Studio"
    assert "Your username is alice." in letter.body
    link = re.search(r"http://testserver(/\S+)", letter.body)
    assert link
    form = client.get(link[1], follow=True)
    assert "Set a new password" in form.content.decode()
    new = {"password1": "through the glass", "password2": "through the glass"}
    done = client.post(form.redirect_chain[-1][0], new, follow=True)
    assert "The new password holds" in done.content.decode()
    used = Client().get(link[1], follow=True).content.decode()
    assert "This link is used up" in used
    assert Client().login(username="alice", password="through the glass")


def test_a_letter_to_nobody_says_so_and_offers_no_account(client: Client, mailoutbox, db) -> None:
    answer = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert answer["location"] == "/accounts/password/reset/done/"
    [letter] = mailoutbox
    assert "There is none." in letter.body
    assert "signup" not in letter.body


def test_an_address_is_confirmed_by_who_has_its_letter(alice: User, mailoutbox) -> None:
    address = EmailAddress.objects.create(user=alice, email="a@example.org", primary=True)
    signed_in(alice).post("/accounts/email/", {"action_send": "", "email": "a@example.org"})
    [letter] = mailoutbox
    assert letter.subject == "Confirm your address for Sandbox Studio"
    path = reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])
    page = Client().get(path).content.decode()
    assert "<b>a@example.org</b> belongs to the account alice" in page
    Client().post(path)
    address.refresh_from_db()
    assert address.verified


def test_who_is_switched_off_is_told_whom_to_ask(alice: User, client: Client) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    form = {"login": "alice", "password": "of wonderland"}
    told = client.post("/accounts/login/", form, follow=True).content.decode()
    assert "This account is switched off" in told


def test_the_field_of_the_name_says_what_to_type(client: Client) -> None:
    assert "User name or e-mail address" in client.get("/accounts/login/").content.decode()
