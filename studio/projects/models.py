"""A project: what somebody asks for, step by step, and the files they bring along."""

from __future__ import annotations

import base64
import secrets
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from studio.artifacts.kinds import kind_and_type
from studio.endpoints.models import IDENTITY_CHARS
from studio.projects.networks import Network

if TYPE_CHECKING:
    from studio.artifacts.models import Artifact
    from studio.runs.models import Run

TITLE_LENGTH = 80


def new_id() -> str:
    """80 random bits as 16 lower-case letters and digits: the project's label in host names."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def title_from(prompt: str) -> str:
    """The beginning of a request in one line."""
    line = " ".join(prompt.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"


class Role(models.IntegerChoices):
    """What somebody may do with a project; who may do more has the higher number."""

    VIEWER = 1, _("can look")
    EDITOR = 2, _("can change")
    OWNER = 3, _("owner")


class Project(models.Model):
    id = models.CharField(primary_key=True, max_length=16, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name=_("owner")
    )
    title = models.CharField(_("title"), max_length=TITLE_LENGTH)
    network = models.CharField(
        _("network"), max_length=8, choices=Network.choices, default=Network.NONE
    )
    # What the owner chose (`studio.endpoints.choices`); empty for the usual one.
    model = models.CharField(_("model"), max_length=IDENTITY_CHARS, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    updated = models.DateTimeField(_("changed"), auto_now_add=True)
    # When the owner put it into the trash (`studio.projects.trash`); nobody sees it there.
    deleted = models.DateTimeField(null=True, editable=False)

    # Of whoever looks it up through `studio.projects.access`, or makes it.
    role: int = Role.OWNER

    # For lists of projects; `studio.projects.views` looks them up.
    cover: Artifact | None
    open_run: Run | None

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        indexes = [
            models.Index(fields=["owner", "-updated"]),
            models.Index(
                fields=["deleted"], name="trashed_projects", condition=Q(deleted__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_own(self) -> bool:
        """Whether who looks at it owns it."""
        return self.role == Role.OWNER

    @property
    def may_change(self) -> bool:
        """Whether who looks at it may ask for something and change files."""
        return self.role >= Role.EDITOR

    @property
    def busy(self) -> bool:
        """Whether a request is being worked on, or about to be."""
        return self.runs.filter(status__in=("queued", "running")).exists()

    def get_absolute_url(self) -> str:
        return reverse("projects:detail", args=[self.pk])


class Member(models.Model):
    """Somebody whom the owner let into a project, as a viewer or an editor."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.PositiveSmallIntegerField(choices=Role.choices[:2], default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_role_per_member")
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.get_role_display()}"


class Input(models.Model):
    """A file that the owner gave; its name is a label, its bytes are in the store."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="inputs")
    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, db_index=True)
    size = models.BigIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    # For pages that show it; `studio.artifacts.links.sign_inputs` gives these.
    poster_url: str
    strip_url: str
    peaks_url: str
    sound_url: str

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="one_input_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def open_url(self) -> str:
        return reverse("projects:input", args=[self.project_id, self.name])

    @property
    def kind(self) -> str:
        return kind_and_type(self.name)[0]

    @property
    def use_url(self) -> str:
        return reverse("projects:use-input", args=[self.project_id, self.name])

    @property
    def remove_url(self) -> str:
        return reverse("projects:remove-input", args=[self.project_id, self.name])
