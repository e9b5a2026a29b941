from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """allauth's, with sign-up open only where the operator says so."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP == "open"
