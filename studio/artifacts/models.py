"""What runs made: a file in the gallery, and each version of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext

from studio.artifacts.kinds import VISUAL
from studio.projects.models import Project, title_from
from studio.runs.models import Run

if TYPE_CHECKING:
    from studio.inspections.models import Inspection

PATH_LENGTH = 500
STAGED_BYTES = 32 << 20


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
    # A run removed it, or somebody did, who said so at the time `deleted`: those go for good later.
    removed = models.BooleanField(default=False)
    deleted = models.DateTimeField(null=True, editable=False)

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
        indexes = [
            models.Index(fields=["project", "-updated", "-id"], name="artifacts_of_project"),
            models.Index(
                fields=["deleted"], name="trashed_artifacts", condition=Q(deleted__isnull=False)
            ),
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
    def staged(self) -> bool:
        """Whether a wide page shows the file itself when it is the newest."""
        if self.kind in ("image", "svg", "html"):
            return 0 < self.size <= STAGED_BYTES
        return self.kind == "video"

    @property
    def detail_url(self) -> str:
        return reverse("artifacts:detail", args=[self.project_id, self.path])

    @property
    def card_url(self) -> str:
        return reverse("artifacts:card", args=[self.project_id, self.path])

    @property
    def compare_url(self) -> str:
        return reverse("artifacts:compare", args=[self.project_id, self.path])

    @property
    def restore_url(self) -> str:
        return reverse("artifacts:restore", args=[self.project_id, self.path])

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
    by having a page made self-contained, or by moving it here from another project. `source` is
    the version that was then taken. What a run has written over since stays, without it, where a
    link goes on showing that.
    """

    artifact = models.ForeignKey(Artifact, on_delete=models.CASCADE, related_name="versions")
    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="versions")
    source = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    size = models.BigIntegerField()
    media_type = models.CharField(max_length=64)
    created = models.DateTimeField()

    # Where a page finds the bytes and their poster, if any; `studio.artifacts.versions` gives them.
    signed_url: str
    poster_url: str

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["artifact", "number"], name="version_numbers"),
            models.UniqueConstraint(fields=["artifact", "run"], name="one_version_per_run"),
        ]

    def __str__(self) -> str:
        return f"{self.artifact_id} v{self.number}"

    @property
    def made(self) -> str:
        """How it came about, in the reader's language."""
        if self.run:
            return title_from(self.run.prompt)
        if self.source is None:
            return gettext("Made from a version that is gone")
        values = {"number": self.source.number, "name": self.source.artifact.name}
        if self.source.artifact_id == self.artifact_id:
            return gettext("Brought back from version %(number)d") % values
        if self.source.artifact.project_id != self.artifact.project_id:
            return gettext("Moved here from another project")
        return gettext("%(name)s, version %(number)d, made self-contained") % values


class Packing(models.Model):
    """A page that its owner wants self-contained, and what came of it.

    `state` moves by conditional updates. While it waits, `lease_until` is when the inspectors are
    told of it again; while somebody packs, when that is given up. `notes` say what could not be
    put in, a line each; of one that failed they are `NO_ROOM`, `NO_SANDBOX` or empty.
    """

    WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
    NO_ROOM, NO_SANDBOX = "no room", "no sandbox"

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="packing")
    state = models.CharField(max_length=8, default=WAITING, db_index=True)
    lease_until = models.DateTimeField()
    result = models.ForeignKey(Version, null=True, on_delete=models.SET_NULL, related_name="+")
    notes = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.version_id} {self.state}"

    @property
    def open(self) -> bool:
        return self.state in (self.WAITING, self.RUNNING)
