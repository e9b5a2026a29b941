"""What a user spends in a day: counted with each answer of a model, for all processes."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext

from studio.projects.models import Project
from studio.runs.models import Run, Spending
from studio.runs.usage import duration, grouped, money


def today() -> date:
    """A day begins at midnight in the server's time zone, wherever the user is."""
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


def refusal(user_id: int) -> str:
    """Why this user has to wait for tomorrow, in their language; empty if not."""
    if settings.DAY_TOKENS is None and settings.DAY_COST is None:
        return ""
    spent = Spending.objects.filter(user=user_id, day=today()).first()
    if spent is None:
        return ""
    if settings.DAY_COST is not None and spent.cost >= settings.DAY_COST:
        used, most = money(spent.cost), money(settings.DAY_COST)
    elif settings.DAY_TOKENS is not None and spent.tokens >= settings.DAY_TOKENS:
        tokens = gettext("%(tokens)s tokens")
        used = tokens % {"tokens": grouped(spent.tokens)}
        most = tokens % {"tokens": grouped(settings.DAY_TOKENS)}
    else:
        return ""
    return gettext(
        "You have used %(used)s today; a day allows %(most)s. A new day begins in %(time)s."
    ) % {"used": used, "most": most, "time": duration(seconds_left())}


def seconds_left() -> float:
    """Until a new day begins."""
    zone = timezone.get_default_timezone()
    midnight = datetime.combine(today() + timedelta(days=1), time(), tzinfo=zone)
    return (midnight - timezone.now()).total_seconds()
