"""What was found in a file by looking into it, in a sandbox of its own."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from studio.artifacts.models import Version
from studio.inspections import wording
from studio.projects.models import Input


class State(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    # It took too long, too much memory, or the sandbox broke: nobody tries again.
    GIVEN_UP = "given_up"


OPEN = (State.WAITING, State.RUNNING)
# No page says longer than that that a file is being checked: nobody may be there who does it.
PATIENCE = timedelta(minutes=30)


class Verdict(models.TextChoices):
    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Inspection(models.Model):
    """Of one version of an artifact, or of one input: what it is and what is wrong with it.

    `state` moves by conditional updates; whoever inspects holds the `claim` until `lease_until`.
    While it waits, `lease_until` is when the inspectors are told of it again.
    `facts` are names and values as `check` tells them; `findings` are `{level, code, text,
    values}`, the text in English. `blur` is a tiny JPEG as a data URI, or empty.
    """

    version = models.OneToOneField(Version, null=True, on_delete=models.CASCADE)
    input = models.OneToOneField(Input, null=True, on_delete=models.CASCADE)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    claim = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    verdict = models.CharField(max_length=8, choices=Verdict.choices, default=Verdict.UNKNOWN)
    media_type = models.CharField(max_length=100, blank=True)
    facts = models.JSONField(default=dict)
    findings = models.JSONField(default=list)
    width = models.PositiveIntegerField(null=True)
    height = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    blur = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(version=None, input__isnull=False)
                | Q(version__isnull=False, input=None),
                name="inspection_of_one_thing",
            )
        ]
        indexes = [
            models.Index(
                fields=["state", "created"],
                name="open_inspections",
                condition=Q(state__in=["waiting", "running"]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.version_id or self.input_id} {self.state}"

    @property
    def open(self) -> bool:
        """Whether something is still to be found, and worth waiting for."""
        return self.state in OPEN and timezone.now() - self.created < PATIENCE

    @property
    def remarks(self) -> list[wording.Remark]:
        """The findings in the reader's language."""
        return wording.remarks(self.findings)

    @property
    def told_facts(self) -> list[tuple[str, str]]:
        """Names and values in the reader's language."""
        return wording.facts(self.facts)


class Text(models.Model):
    """The beginning of what can be read in an inspected file: what it is found by."""

    inspection = models.OneToOneField(
        Inspection, primary_key=True, on_delete=models.CASCADE, related_name="text"
    )
    text = models.TextField()

    def __str__(self) -> str:
        return self.text[:80]


class Role(models.TextChoices):
    """What a preview is for, and with it what its bytes are: see docs/inspection.md."""

    POSTER = "poster"
    WIDE = "wide"
    STRIP = "strip"
    PEAKS = "peaks"
    SOUND = "sound"


class Preview(models.Model):
    """Bytes in the store that show an inspected file; made in the sandbox, never decoded here."""

    inspection = models.ForeignKey(Inspection, on_delete=models.CASCADE, related_name="previews")
    role = models.CharField(max_length=8, choices=Role.choices)
    digest = models.CharField(max_length=64, db_index=True)
    size = models.BigIntegerField()
    width = models.PositiveIntegerField(null=True)
    height = models.PositiveIntegerField(null=True)
    # How many frames lie side by side in a strip.
    frames = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["inspection", "role"], name="one_preview_per_role")
        ]

    def __str__(self) -> str:
        return f"{self.inspection_id} {self.role}"
