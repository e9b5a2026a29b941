"""Links that let people in: into a project, and newcomers into the studio."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

from studio.accounts.models import User, hashed
from studio.projects.models import Member, Project, Role

LIFETIME = timedelta(days=7)
# How many people one link can be for.
ONE, SEVERAL, MANY = 1, 10, 50


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def issue(
        self,
        made_by: User,
        project: Project | None = None,
        role: int = Role.VIEWER,
        most: int = ONE,
    ) -> str:
        """A new token that lets `most` people in."""
        token = secrets.token_urlsafe(32)
        self.create(
            token_hash=hashed(token),
            made_by=made_by,
            project=project,
            role=role,
            most=most,
            expires=timezone.now() + LIFETIME,
        )
        return token

    def usable(self) -> InvitationQuerySet:
        """Those that somebody can still use: what is in the trash lets nobody in."""
        return self.filter(
            uses__lt=F("most"),
            expires__gt=timezone.now(),
            made_by__is_active=True,
            project__deleted=None,
        ).order_by("-pk")

    def told(self, token: str) -> InvitationQuerySet:
        """The one with this token, usable or not."""
        return self.filter(token_hash=hashed(token)).select_related("project", "made_by")


class Invitation(models.Model):
    """For `most` people until it expires; who takes it back deletes it.

    Without a `project` it is for the studio alone.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.PositiveSmallIntegerField(choices=Role.choices[:2], default=Role.VIEWER)
    most = models.PositiveSmallIntegerField(default=ONE)
    uses = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()

    objects = InvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.made_by} {self.uses}/{self.most}"

    @property
    def admits_newcomers(self) -> bool:
        """Whether somebody may make an account with it: where sign-up is closed, if an operator
        gave it.
        """
        return settings.SIGNUP != "closed" or self.made_by.is_staff

    def accept(self, user: User) -> bool:
        """Let a user in; False if the link is used up by now."""
        with transaction.atomic():
            # Of its own row only, so that of two who come at the same time one gets the last place.
            left = Invitation.objects.filter(pk=self.pk, uses__lt=F("most"))
            if not left.filter(expires__gt=timezone.now()).update(uses=F("uses") + 1):
                return False
            if self.project:
                Member.objects.update_or_create(
                    project=self.project, user=user, defaults={"role": self.role}
                )
        return True
