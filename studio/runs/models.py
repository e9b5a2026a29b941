"""A run is one request and what happened: its state, and the journal of its events."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext

from studio.projects.models import Project
from studio.runs import usage


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    ENDED = "ended"


class Run(models.Model):
    """`status` moves by conditional updates only; all that events tell is written by the journal.

    Whoever executes the run holds its `claim` and renews `lease_until`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField()
    prompt = models.TextField()

    status = models.CharField(max_length=8, choices=Status.choices, default=Status.QUEUED)
    reason = models.CharField(max_length=32, blank=True)
    message = models.TextField(blank=True)
    summary = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    sandbox = models.CharField(max_length=100, blank=True)

    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    sent = models.DateTimeField(null=True)
    claim = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    stop_requested = models.BooleanField(default=False)

    last_seq = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    tokens_in = models.BigIntegerField(default=0)
    tokens_out = models.BigIntegerField(default=0)
    resources = models.JSONField(default=dict)
    workspace = models.CharField(max_length=64, blank=True, db_index=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="run_numbers"),
            models.UniqueConstraint(
                fields=["project"],
                condition=Q(status__in=[Status.QUEUED, Status.RUNNING]),
                name="one_active_run_per_project",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status", "created"], name="active_runs", condition=~Q(status=Status.ENDED)
            )
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.number}"

    @property
    def active(self) -> bool:
        return self.status != Status.ENDED

    @property
    def facts(self) -> list[str]:
        """What made it and what that took, in the reader's language."""
        if not self.model:
            return []
        recipes = self.model == "recipes"
        maker = gettext("Built-in recipes, no language model") if recipes else self.model
        wall = self.ended - self.started if self.ended and self.started else None
        spent = usage.spent(self.turns, self.tokens_in + self.tokens_out, wall)
        return [maker, *spent, *usage.used(self.resources)]

    @property
    def events_url(self) -> str:
        return reverse("runs:events", args=[self.pk])

    @property
    def socket_path(self) -> str:
        return f"/ws/runs/{self.pk}/"


class Event(models.Model):
    """One fact of a run, numbered 1..n; `studio.runs.journal` is its only writer."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=32)
    at = models.DateTimeField(auto_now_add=True)
    data = models.JSONField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["run", "seq"], name="event_numbers")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
