"""The account that owns what the studio makes by itself: nobody can sign in with it."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.db.models import QuerySet

from studio.accounts.models import User

# With a space, which no name of a person can have: nobody has taken it, and nobody can.
NAME = "the studio"
# Its files are few; whatever people may have, these find room.
ROOM_MB = 2_000


def house() -> User:
    """The account itself, made when it is needed first."""
    about = {"is_active": False, "password": make_password(None), "room": ROOM_MB}
    return User.objects.get_or_create(username=NAME, defaults=about)[0]


def people() -> QuerySet[User]:
    """Everybody else."""
    return User.objects.exclude(username=NAME)
