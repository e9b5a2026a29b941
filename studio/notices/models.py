"""How people want to be told, when they don't look, that a run is done or asks them something."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Letters(models.Model):
    """Somebody who wants an e-mail. `site` is the address at which they use the studio."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=16)

    def __str__(self) -> str:
        return f"{self.user_id}"


class Subscription(models.Model):
    """A browser that wants a push message, and its keys for it (RFC 8291, base64url)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    endpoint = models.CharField(max_length=1000, unique=True)
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=50)
    language = models.CharField(max_length=16)

    def __str__(self) -> str:
        return f"{self.user_id} {self.pk}"
