"""Signing in through an identity provider: allauth's way there and back, also when it is away."""

from __future__ import annotations

import logging
from functools import wraps

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponse
from django.urls import path
from requests import RequestException

logger = logging.getLogger(__name__)


def answers_when_away(view):
    """allauth asks the provider where its doors are outside of what it catches errors of."""

    @wraps(view)
    def answer(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except RequestException as error:
            logger.error("The identity provider does not answer: %s", error)
            provider = get_adapter().get_provider(request, provider_id)
            return render_authentication_error(request, provider, exception=error)

    return answer


# By the names that allauth looks for.
urlpatterns = [
    path("<str:provider_id>/login/", answers_when_away(views.login), name="openid_connect_login"),
    path(
        "<str:provider_id>/login/callback/",
        answers_when_away(views.callback),
        name="openid_connect_callback",
    ),
]
