"""What the studio made of its starting points."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef

from agent.events import Reason
from studio.artifacts.models import Artifact
from studio.projects.models import Project
from studio.runs.models import Run, Status
from studio.sharing.models import Share


class ResultQuerySet(models.QuerySet["Result"]):
    def good(self) -> ResultQuerySet:
        """Those that can be shown: the run handed files over, and the link is not revoked."""
        files = Artifact.objects.filter(project=OuterRef("project"), removed=False)
        done = Run.objects.filter(
            project=OuterRef("project"), status=Status.ENDED, reason=Reason.SUBMITTED
        )
        return self.filter(Exists(files), Exists(done), share__revoked=None)

    def stopped(self) -> ResultQuerySet:
        """Those that were given up for somebody who waited."""
        return self.filter(project__runs__reason=Reason.STOPPED)


class Result(models.Model):
    """A project of the house in which a starting point's request was carried out once.

    `point` is the point's key and `digest` what was asked for, so that a point that asks for
    something else is made again. The unlisted `share` is how people see it.
    """

    point = models.CharField(max_length=80, unique=True)
    digest = models.CharField(max_length=64)
    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="+")
    share = models.OneToOneField(Share, on_delete=models.CASCADE, related_name="+")

    objects = ResultQuerySet.as_manager()

    def __str__(self) -> str:
        return self.point
