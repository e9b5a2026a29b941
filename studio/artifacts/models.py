"""What runs made: a file in the gallery, and each version of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.urls import reverse

from studio.artifacts.kinds import VISUAL
from studio.projects.models import Project
from studio.runs.models import Run

if TYPE_CHECKING:
    from studio.inspections.models import Inspection

PATH_LENGTH = 500


class ArtifactQuerySet(models.QuerySet["Artifact"]):
    def shown(self) -> ArtifactQuerySet:
        """What the gallery shows, newest first."""
        return self.filter(removed=False).select_related("latest").order_by("-updated", "-pk")

    def visual(self) -> ArtifactQuerySet:
        return self.filter(kind__in=VISUAL)


class Artifact(models.Model):
    """A path below the output folder of a project. The path is a label that a stranger chose."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="artifacts")
    path = models.CharField(max_length=PATH_LENGTH)
    kind = models.CharField(max_length=16)
    latest = models.ForeignKey("Version", null=True, on_delete=models.SET_NULL, related_name="+")
    updated = models.DateTimeField()
    removed = models.BooleanField(default=False)

    # Where a page finds the newest bytes, what was found in them, and what shows them;
    # `studio.artifacts.links.sign` gives these for one request.
    signed_url: str
    inspection: Inspection | None
    poster_url: str
    strip_url: str
    peaks_url: str
    sound_url: str

    objects = ArtifactQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "path"], name="one_artifact_per_path")
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def size(self) -> int:
        return self.latest.size if self.latest else 0

    @property
    def version_number(self) -> int:
        return self.latest.number if self.latest else 0

    @property
    def detail_url(self) -> str:
        return reverse("artifacts:detail", args=[self.project_id, self.path])

    @property
    def card_url(self) -> str:
        return reverse("artifacts:card", args=[self.project_id, self.path])

    @property
    def open_url(self) -> str:
        """To the bytes as they are now, also when there is a newer version later."""
        url = reverse("artifacts:open", args=[self.project_id, self.path])
        return f"{url}?v={self.latest.digest}" if self.latest else url

    @property
    def download_url(self) -> str:
        return f"{self.open_url}&download=1"


class Version(models.Model):
    """The bytes under an artifact's path at one time; `number` counts from 1.

    A run left them there, or without a `run` the owner did: by bringing back an older version,
    or by having a page made self-contained. `source` is the version that was then taken.
    """

    artifact = models.ForeignKey(Artifact, on_delete=models.CASCADE, related_name="versions")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="versions")
    source = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    size = models.BigIntegerField()
    media_type = models.CharField(max_length=64)
    created = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["artifact", "number"], name="version_numbers"),
            models.UniqueConstraint(fields=["artifact", "run"], name="one_version_per_run"),
        ]

    def __str__(self) -> str:
        return f"{self.artifact_id} v{self.number}"
