"""Tokens for programs, and the addresses that want to be told when a run has ended."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Collection
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from studio import crypto, wording
from studio.accounts.models import User, hashed
from studio.projects.models import Project
from studio.runs.models import Run

PREFIX = "ss_"
NAME_LENGTH = 60
# When a token was last used is written no more often than this.
TOUCH = timedelta(minutes=1)
URL_LENGTH = 500


class Scope(models.TextChoices):
    """What a token is good for."""

    READ = "read", _("Read")
    WRITE = "write", _("Read and change")


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> TokenQuerySet:
        """Those that open something now."""
        fresh = Q(expires=None) | Q(expires__gt=timezone.now())
        return self.filter(fresh, user__is_active=True)


class TokenManager(models.Manager.from_queryset(TokenQuerySet)):  # type: ignore[misc]
    def issue(
        self, user: User, name: str, scope: str = Scope.WRITE, lifetime: timedelta | None = None
    ) -> str:
        """A new token of 256 random bits; only its hash is kept."""
        secret = PREFIX + secrets.token_urlsafe(32)
        expires = timezone.now() + lifetime if lifetime else None
        self.create(user=user, name=name, scope=scope, digest=hashed(secret), expires=expires)
        return secret

    def find(self, secret: str) -> Token | None:
        """The token that this is, if it is valid; it counts as used from now on."""
        row = self.valid().select_related("user").filter(digest=hashed(secret)).first()
        now = timezone.now()
        if row and (row.used is None or row.used < now - TOUCH):
            self.filter(pk=row.pk).update(used=now)
        return row


class Token(models.Model):
    """Lets a program act for its user. To revoke it is to delete it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=NAME_LENGTH)
    scope = models.CharField(max_length=5, choices=Scope.choices, default=Scope.WRITE)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)
    expires = models.DateTimeField(null=True)

    objects = TokenManager()

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()


def still_valid(tokens: Collection[int]) -> set[int]:
    """Those of these tokens, by their keys, that nobody has revoked since."""
    return set(Token.objects.valid().filter(pk__in=tokens).values_list("pk", flat=True))


class Webhook(models.Model):
    """An address that is told of each run that ends in a project its user may see."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=URL_LENGTH)
    # Fernet under the installation's key: what signs must be readable, so a hash won't do.
    secret = models.TextField()
    active = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url

    @property
    def signing_secret(self) -> str:
        """What the deliveries are signed with.

        Raises:
            Unreadable: the installation's key is another one by now.
        """
        return crypto.decrypted(self.secret)


class DeliveryState(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(models.Model):
    """One notice for one address, and how far it has come.

    While it waits, `due` is when it is tried next; whoever tries moves it on first, so that
    one who dies costs an attempt, and two never try at once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(
        max_length=9, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField()
    answer = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]
        indexes = [
            models.Index(
                fields=["due"], name="due_deliveries", condition=Q(state=DeliveryState.WAITING)
            )
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.run_id} {self.state}"

    @property
    def trouble(self) -> str:
        """Its problem in the reader's language."""
        return wording.told(self.problem)


def watchers(project: Project) -> models.QuerySet[Webhook]:
    """The addresses to tell of what happens in a project: its owner's and its members'.

    Nobody is told of one that is in the trash.
    """
    if project.deleted:
        return Webhook.objects.none()
    mine = Q(user=project.owner_id) | Q(user__memberships__project=project)
    return Webhook.objects.filter(mine, active=True, user__is_active=True).distinct()
