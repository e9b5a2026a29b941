"""A run is one request and what happened: its state, and the journal of its events."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from studio.projects.models import Project
from studio.runs import usage


class Status(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    ENDED = "ended", _("ended")


ACTIVE = (Status.QUEUED, Status.RUNNING)


class Run(models.Model):
    """`status` moves by conditional updates only; all that events tell is written by the journal.

    Whoever executes the run holds its `claim` and renews `lease_until`. A paused run has spent what
    it may and waits for a person: no sandbox, worker or claim is held for it. `seconds` is the work
    before the last pause, `started` when the present stretch of it began.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="runs", verbose_name=_("project")
    )
    number = models.PositiveIntegerField(_("number"))
    prompt = models.TextField()
    # The earlier request that it goes on from, if that is not the one before it.
    base = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")

    status = models.CharField(
        _("status"), max_length=8, choices=Status.choices, default=Status.QUEUED
    )
    reason = models.CharField(_("reason"), max_length=32, blank=True)
    message = models.TextField(_("message"), blank=True)
    summary = models.TextField(blank=True)
    model = models.CharField(_("model"), max_length=200, blank=True)
    sandbox = models.CharField(_("sandbox"), max_length=100, blank=True)

    created = models.DateTimeField(_("created"), auto_now_add=True)
    started = models.DateTimeField(_("started"), null=True)
    paused = models.DateTimeField(_("paused"), null=True)
    ended = models.DateTimeField(_("ended"), null=True)

    sent = models.DateTimeField(null=True)
    claim = models.UUIDField(null=True)
    lease_until = models.DateTimeField(_("given up without a sign of life after"), null=True)
    stop_requested = models.BooleanField(default=False)

    last_seq = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(_("turns"), default=0)
    tokens_in = models.BigIntegerField(_("tokens read"), default=0)
    tokens_out = models.BigIntegerField(_("tokens written"), default=0)
    tokens_cached = models.BigIntegerField(_("of these cached"), default=0)
    cost = models.FloatField(_("cost"), default=0)
    seconds = models.FloatField(default=0)
    resources = models.JSONField(_("resources"), default=dict)
    workspace = models.CharField(max_length=64, blank=True, db_index=True)
    workspace_size = models.BigIntegerField(default=0)

    # Whether there are versions of it; `studio.projects.views` looks that up.
    made_files: bool

    class Meta:
        ordering = ["number"]
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="run_numbers"),
            models.UniqueConstraint(
                fields=["project"],
                condition=~Q(status=Status.ENDED),
                name="one_open_run_per_project",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status", "created"], name="open_runs", condition=~Q(status=Status.ENDED)
            ),
            models.Index(fields=["-ended"], name="latest_runs"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.number}"

    @property
    def active(self) -> bool:
        """Whether somebody works on it or is about to."""
        return self.status in ACTIVE

    @property
    def over(self) -> bool:
        return self.status == Status.ENDED

    @property
    def facts(self) -> list[str]:
        """What made it and what that took, in the reader's language."""
        if not self.model:
            return []
        recipes = self.model == "recipes"
        maker = gettext("Built-in recipes, no language model") if recipes else self.model
        spent = usage.spent(
            self.turns,
            self.tokens_in + self.tokens_out,
            self.worked,
            cached=self.tokens_cached,
            cost=self.cost,
        )
        return [maker, *spent, *usage.used(self.resources)]

    @property
    def worked(self) -> timedelta | None:
        """How long it was worked on; None until it pauses or ends."""
        if self.active:
            return None
        latest = self.ended - self.started if self.ended and self.started else timedelta()
        return timedelta(seconds=self.seconds) + latest

    @property
    def replay_url(self) -> str:
        return reverse("runs:replay", args=[self.project_id, self.number])

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


class Word(models.Model):
    """What the user said while a run went on, until the model is told; `studio.runs.steering`."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="words")
    text = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.run_id} {self.pk}"


class Spending(models.Model):
    """What the runs of a user took in one day of the server's time zone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    day = models.DateField()
    tokens = models.BigIntegerField(default=0)
    cost = models.FloatField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="one_row_per_day")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.day}"
