"""Who uses the studio, and links that sign in once."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class User(AbstractUser):
    """A person who signs in."""


def hashed(token: str) -> str:
    """What is kept of a token: enough to recognise it, not to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


class SignInLinkManager(models.Manager["SignInLink"]):
    def issue(self, user: User, lifetime: timedelta = timedelta(hours=24)) -> str:
        """A new token that signs `user` in once within `lifetime`."""
        token = secrets.token_urlsafe(32)
        self.create(user=user, token_hash=hashed(token), expires=timezone.now() + lifetime)
        return token

    def redeem(self, token: str) -> User | None:
        """The user of a link that is neither used nor expired; it is used from now on."""
        now = timezone.now()
        links = self.filter(token_hash=hashed(token), used=None, expires__gt=now)
        if not links.update(used=now):
            return None
        return self.select_related("user").get(token_hash=hashed(token)).user


class SignInLink(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    token_hash = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)

    objects = SignInLinkManager()
