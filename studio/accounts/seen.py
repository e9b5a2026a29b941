"""When and where somebody was last here, by session: for their own list, and for operators."""

from __future__ import annotations

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

# So exact it is: a page that asks again and again writes nothing each time.
EXACT = timedelta(minutes=5)


def forget() -> int:
    """Delete the sessions that have run out, and from where somebody came in those that are over.

    Returns how many of the latter there were.
    """
    SessionStore.clear_expired()
    over = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    return over.delete()[0]


class LastSeen(MiddlewareMixin):
    """Instead of allauth's middleware, which writes with each request."""

    def process_request(self, request: HttpRequest) -> None:
        if request.user.is_authenticated and request.session.session_key:
            sessions = UserSession.objects.filter(session_key=request.session.session_key)
            if not sessions.filter(last_seen_at__gt=timezone.now() - EXACT).exists():
                UserSession.objects.create_from_request(request)
