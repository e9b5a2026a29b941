"""Whether who was signed in still is: for what stays open longer than a request."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.sessions.models import Session
from django.utils import timezone

from studio.accounts.models import User
from studio.doors import Door


@dataclass(frozen=True, slots=True)
class SignIn:
    """A user's session; a new password ends those that were begun with another one."""

    session: str
    user: int
    password: str


def door(scope: dict[str, Any]) -> Door:
    """By what somebody who is signed in came to a socket."""
    user = scope["user"]
    return Door(still_signed_in, SignIn(scope["session"].session_key, user.pk, user.password))


def still_signed_in(sign_ins: Collection[SignIn]) -> set[SignIn]:
    """Those of these that have not ended since."""
    found = Session.objects.filter(pk__in={each.session for each in sign_ins})
    sessions = set(found.filter(expire_date__gt=timezone.now()).values_list("pk", flat=True))
    users = User.objects.filter(pk__in={each.user for each in sign_ins}, is_active=True)
    passwords = dict(users.values_list("pk", "password"))
    return {
        each
        for each in sign_ins
        if each.session in sessions and passwords.get(each.user) == each.password
    }
