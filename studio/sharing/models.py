"""A share: a link with which anybody sees a project or one file of it, without an account."""

from __future__ import annotations

import secrets
from functools import partial

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import models, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from studio.accounts.models import hashed
from studio.artifacts.models import Artifact, Version
from studio.crypto import Unreadable, decrypted, encrypted
from studio.projects.access import anybodys
from studio.projects.models import Project
from studio.sharing.nudge import nudge

TOKEN_BYTES = 24


class ShareQuerySet(models.QuerySet["Share"]):
    def open(self) -> ShareQuerySet:
        """Those that open something: neither revoked nor expired, of a project that there is."""
        unexpired = Q(expires=None) | Q(expires__gt=timezone.now())
        return self.filter(unexpired, revoked=None, project__in=anybodys())

    def with_token(self, token: str) -> ShareQuerySet:
        return self.filter(token_hash=hashed(token))


class Share(models.Model):
    """What one link opens, and how far.

    `token_hash` finds the share of a link. `sealed` is the link's token, readable with the
    installation's key only, so that it can be copied again later: neither of them opens
    anything for whoever has the database alone. A live share shows what there is now, a `pinned`
    one the `versions` that it was made with. `edition` counts passwords: what was opened
    with an earlier one is closed.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="shares")
    # Deleted with it: a share of one file must never become one of the whole project.
    artifact = models.ForeignKey(Artifact, null=True, on_delete=models.CASCADE, related_name="+")
    pinned = models.BooleanField(default=False)
    versions = models.ManyToManyField(Version, related_name="shares")
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, verbose_name=_("made by")
    )

    token_hash = models.CharField(max_length=64, unique=True)
    sealed = models.TextField()
    password = models.CharField(max_length=128, blank=True)
    edition = models.PositiveIntegerField(default=1)
    listed = models.BooleanField(_("in the gallery"), default=False)
    allow_download = models.BooleanField(default=True)
    show_prompts = models.BooleanField(default=True)
    allow_replay = models.BooleanField(default=False)
    expires = models.DateTimeField(_("closes"), null=True, blank=True)
    revoked = models.DateTimeField(_("revoked"), null=True, blank=True)
    views = models.PositiveIntegerField(_("views"), default=0)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    objects = ShareQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("shared link")
        verbose_name_plural = _("shared links")
        indexes = [
            models.Index(
                fields=["-created"],
                name="listed_shares",
                condition=Q(listed=True, revoked=None),
            )
        ]

    def __str__(self) -> str:
        return self.title

    def give_token(self) -> str:
        """A new token, which the share keeps in its two forms; to be saved by the caller."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self.token_hash, self.sealed = hashed(token), encrypted(token)
        return token

    @property
    def token(self) -> str:
        """The link's token; empty when the installation's key is another one by now."""
        try:
            return decrypted(self.sealed)
        except Unreadable:
            return ""

    @property
    def title(self) -> str:
        return self.artifact.name if self.artifact else self.project.title

    @property
    def expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()

    @property
    def path(self) -> str:
        """Where a visitor finds it; empty as `token` is."""
        return reverse("shared:page", args=[self.token]) if self.token else ""

    def set_password(self, password: str) -> None:
        """Empty for none."""
        self.password = make_password(password) if password else ""
        self.edition += 1

    def has_password(self, password: str) -> bool:
        return check_password(password, self.password)

    def revoke(self) -> None:
        """Close it for good; nobody can read the link here any more."""
        unrevoked = Share.objects.filter(pk=self.pk, revoked=None)
        unrevoked.update(revoked=timezone.now(), sealed="")
        transaction.on_commit(partial(nudge, self.pk))
