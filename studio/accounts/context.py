from django.conf import settings
from django.http import HttpRequest


def signup(request: HttpRequest) -> dict[str, bool]:
    """For the sign-in page: whether to show the way to sign-up."""
    return {"open_for_signup": settings.SIGNUP == "open"}
