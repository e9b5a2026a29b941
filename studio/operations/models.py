"""What workers say of themselves, for the page of the operators."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

REPORT_SECONDS = 10.0
# A worker that has not said anything for so long is gone, or as good as that.
SILENT = timedelta(seconds=6 * REPORT_SECONDS)


class Worker(models.Model):
    """A process that carries out runs or looks into files; it writes its own row, nobody else.

    `in_use` and `waiting` count the sandboxes on its container engine, and `problem` is why they
    can't be counted; who only looks into files counts none.
    """

    name = models.CharField(max_length=200, unique=True)
    inspects = models.BooleanField(default=False)
    threads = models.PositiveSmallIntegerField()
    started = models.DateTimeField()
    seen = models.DateTimeField()
    in_use = models.PositiveIntegerField(null=True)
    waiting = models.PositiveIntegerField(null=True)
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ["inspects", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def alive(self) -> bool:
        return timezone.now() - self.seen < SILENT
