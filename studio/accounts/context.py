from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest


def accounts(request: HttpRequest) -> dict:
    """How people come in: whether sign-up leads anywhere, and the identity provider's name."""
    return {
        "open_for_signup": lambda: get_adapter().is_open_for_signup(request),
        "oidc_name": settings.OIDC_PROVIDER["name"] if settings.OIDC_ISSUER else "",
    }
