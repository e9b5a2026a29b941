"""Who uses the studio, and links that sign in once."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who signs in. `room` is what the files may take if not what is usual here."""

    room = models.PositiveIntegerField(
        _("room for files, in MB"),
        null=True,
        blank=True,
        help_text=_("Left empty, it is as for everybody: STUDIO_USER_BYTES."),
    )

    @property
    def shown_name(self) -> str:
        """What others call this person."""
        return self.get_full_name() or self.username


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
