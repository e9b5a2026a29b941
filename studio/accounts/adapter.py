"""Who may make an account: allauth's ways to sign up, as the operator's policy says."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from studio.accounts.models import User
from studio.people.joining import carried, welcome


class AccountAdapter(DefaultAccountAdapter):
    """With sign-up for anybody where that is open, otherwise for who comes with an invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP == "open" or carried(request) is not None

    def save_user(self, request: HttpRequest, user: User, form, commit=True) -> User:
        # The form of somebody who comes through a provider has what that says of them.
        login = getattr(form, "sociallogin", None)
        admitted = admits(login) if login else settings.SIGNUP == "open"
        with transaction.atomic():
            user = super().save_user(request, user, form, commit)
            welcome(request, user, needed=not admitted)
        return user


class ProviderAdapter(DefaultSocialAccountAdapter):
    """The same for who comes through an identity provider, unless the operator names domains."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        for address in sociallogin.email_addresses:
            # Some providers say "false".
            address.verified = address.verified is True

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return admits(sociallogin) or carried(request) is not None

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form=None) -> User:
        with transaction.atomic():
            user = super().save_user(request, sociallogin, form)
            if form is None:  # Otherwise `AccountAdapter` has done it.
                welcome(request, user, needed=not admits(sociallogin))
        return user


def admits(login: SocialLogin) -> bool:
    """Whether who comes through a provider needs no invitation."""
    if not settings.OIDC_DOMAINS:
        return settings.SIGNUP == "open"
    return any(
        address.verified and address.email.rpartition("@")[2].lower() in settings.OIDC_DOMAINS
        for address in login.email_addresses
    )
