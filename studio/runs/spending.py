"""What a user spends in a day: counted with each answer of a model, for all processes."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import F
from django.utils import timezone

from studio.projects.models import Project
from studio.runs.models import Run, Spending


def today() -> date:
    """A day begins at midnight in the server's time zone, whoever looks at it from where."""
    return timezone.localdate(timezone=timezone.get_default_timezone())


def count(run: Run, usage: dict[str, Any]) -> None:
    """Add what an answer took to its run and to the day of the run's owner."""
    tokens = usage["input"] + usage["output"]
    if not tokens and not usage["cost"]:
        return
    Run.objects.filter(pk=run.pk).update(
        tokens_in=F("tokens_in") + usage["input"],
        tokens_out=F("tokens_out") + usage["output"],
        tokens_cached=F("tokens_cached") + usage["cached"],
        cost=F("cost") + usage["cost"],
    )
    owner = Project.objects.values_list("owner", flat=True).get(pk=run.project_id)
    row, _ = Spending.objects.get_or_create(user_id=owner, day=today())
    Spending.objects.filter(pk=row.pk).update(
        tokens=F("tokens") + tokens, cost=F("cost") + usage["cost"]
    )
