"""What a user spends in a day: counted with each answer of a model, for all processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Share:
    """What a user took today of one thing, in words; `percent` of what a day allows, if limited."""

    used: str
    most: str = ""
    percent: int | None = None


def shares(user_id: int) -> list[Share]:
    """The tokens that a user's runs took today, and the money where it was any or is limited."""
    spent = Spending.objects.filter(user=user_id, day=today()).first() or Spending()
    found = [_share(spent.tokens, settings.DAY_TOKENS, _tokens)]
    if spent.cost or settings.DAY_COST is not None:
        found.append(_share(spent.cost, settings.DAY_COST, money))
    return found


def _share(used: float, most: float | None, told: Callable[[Any], str]) -> Share:
    if most is None:
        return Share(told(used))
    return Share(told(used), told(most), min(100, int(100 * used / most)))


def _tokens(count: int) -> str:
    return gettext("%(tokens)s tokens") % {"tokens": grouped(count)}


def refusal(user_id: int, *, own: bool = True) -> str:
    """Why requests of this user have to wait for tomorrow, in the reader's language; empty if not.

    That is the user, or with `own` False somebody whom they let into a project.
    """
    if settings.DAY_TOKENS is None and settings.DAY_COST is None:
        return ""
    spent = Spending.objects.filter(user=user_id, day=today()).first()
    if spent is None:
        return ""
    if settings.DAY_COST is not None and spent.cost >= settings.DAY_COST:
        used, most = money(spent.cost), money(settings.DAY_COST)
    elif settings.DAY_TOKENS is not None and spent.tokens >= settings.DAY_TOKENS:
        used, most = _tokens(spent.tokens), _tokens(settings.DAY_TOKENS)
    else:
        return ""
    if not own:
        return gettext(
            "What the owner of this project may spend in a day is used up. A new day begins in "
            "%(time)s."
        ) % {"time": duration(seconds_left())}
    return gettext(
        "You have used %(used)s today; a day allows %(most)s. A new day begins in %(time)s."
    ) % {"used": used, "most": most, "time": duration(seconds_left())}


def seconds_left() -> float:
    """Until a new day begins."""
    zone = timezone.get_default_timezone()
    midnight = datetime.combine(today() + timedelta(days=1), time(), tzinfo=zone)
    return (midnight - timezone.now()).total_seconds()
