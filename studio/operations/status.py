"""What operators want to know at one look: what is done, what waits, what fails, what is full."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Max, Min, OuterRef, Subquery
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from agent.errors import ModelUnavailable
from agent.events import Reason
from studio import wording
from studio.accounts.house import people
from studio.accounts.models import User
from studio.endpoints import choices
from studio.endpoints.models import Endpoint
from studio.inspections.models import OPEN, Inspection
from studio.operations.models import Worker
from studio.projects import quota
from studio.runs.models import Run, Spending, Status
from studio.runs.reasons import explanation
from studio.runs.spending import today

DAY = timedelta(days=1)
LONG_WAIT = timedelta(minutes=2)
NEARLY_FULL = 90
USERS, FAILURES = 20, 8
# The user, and not the studio, decided how these ended.
NO_FAILURE = (Reason.SUBMITTED, Reason.STOPPED, "")


@dataclass(frozen=True, slots=True)
class Failures:
    """Runs of the last day that ended for one reason which nobody wished for."""

    reason: str
    why: str
    count: int
    latest: datetime


@dataclass(frozen=True, slots=True)
class Answering:
    """An endpoint, what is to be said of it, and whether it can be used."""

    name: str
    told: str
    good: bool = True


@dataclass(frozen=True, slots=True)
class Disk:
    used: int
    total: int

    @property
    def percent(self) -> int:
        return 100 * self.used // self.total


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it, as it was at one time."""

    runs: dict[str, int]
    oldest: datetime | None
    inspections: dict[str, Any]
    workers: list[Worker]
    failures: list[Failures]
    disk: Disk | None
    kept: int
    endpoints: list[Answering]
    users: list[User]

    @property
    def hints(self) -> list[str]:
        """What looks wrong, in plain words, with what helps."""
        return list(hints(self))


def overview() -> Overview:
    return Overview(
        runs=counted(),
        oldest=oldest_queued(),
        inspections=waiting_inspections(),
        workers=list(Worker.objects.all()),
        failures=failed(),
        disk=disk(),
        kept=quota.used(None),
        endpoints=endpoints(),
        users=users(),
    )


def counted() -> dict[str, int]:
    """How many runs have not ended, by status."""
    rows = Run.objects.exclude(status=Status.ENDED).values_list("status")
    found = dict(rows.annotate(Count("pk")).order_by())
    return {status.value: found.get(status, 0) for status in Status if status != Status.ENDED}


def oldest_queued() -> datetime | None:
    return Run.objects.filter(status=Status.QUEUED).aggregate(oldest=Min("created"))["oldest"]


def waiting_inspections() -> dict[str, Any]:
    return Inspection.objects.filter(state__in=OPEN).aggregate(
        count=Count("pk"), oldest=Min("created")
    )


def failed() -> list[Failures]:
    """The last day's, the most frequent first, with the newest run's words about it."""
    runs = Run.objects.filter(ended__gt=timezone.now() - DAY).exclude(reason__in=NO_FAILURE)
    rows = runs.values("reason").annotate(count=Count("pk"), latest=Max("ended"))
    found = []
    for row in rows.order_by("-count"):
        message = runs.filter(reason=row["reason"]).order_by("-ended").values_list("message")[0][0]
        why = explanation(row["reason"], message)
        found.append(Failures(row["reason"], why, row["count"], row["latest"]))
    return found[:FAILURES]


def disk() -> Disk | None:
    """Of the folder of files, as far as this machine has it; None where a bucket keeps them."""
    if settings.S3_BUCKET:
        return None
    there = shutil.disk_usage(settings.MEDIA)
    return Disk(there.used, there.total)


def endpoints() -> list[Answering]:
    """Those of the settings first, then those of the administration."""
    found = [
        Answering(offer.id, gettext("from the settings"))
        for offer in choices.from_settings().offers
    ]
    for endpoint in Endpoint.objects.prefetch_related("models"):
        models = ", ".join(model.title for model in endpoint.models.all() if model.enabled)
        try:
            endpoint.key  # noqa: B018  reading is what may fail
        except ModelUnavailable as error:
            found.append(Answering(endpoint.name, str(error), good=False))
            continue
        if endpoint.enabled:
            found.append(Answering(endpoint.name, models or gettext("no models"), bool(models)))
        else:
            found.append(Answering(endpoint.name, gettext("switched off")))
    return found


def users() -> list[User]:
    """Those who were here last, with what they take."""
    day = Spending.objects.filter(user=OuterRef("pk"), day=today())
    rows = people().annotate(
        seen=Max("usersession__last_seen_at"),
        tokens_today=Subquery(day.values("tokens")),
    )
    found: list[User] = [*rows.order_by(F("seen").desc(nulls_last=True), "pk")[:USERS]]
    for user in found:
        user.used = quota.used(user.pk)  # type: ignore[attr-defined]
    return found


def hints(now: Overview) -> Iterator[str]:
    alive = [worker for worker in now.workers if worker.alive]
    runners = [worker for worker in alive if not worker.inspects]
    if not runners:
        yield gettext(
            "Nobody carries out runs. Start the studio again; if that does not help, look into the "
            "worker’s log."
        )
    if not [worker for worker in alive if worker.inspects]:
        yield gettext(
            "Nobody looks into files. Start the studio again; if that does not help, look into "
            "the inspector’s log."
        )
    for worker in alive:
        if worker.problem:
            yield gettext("The container engine of %(worker)s does not answer: %(problem)s") % {
                "worker": worker.name,
                "problem": wording.told(worker.problem),
            }
    if runners and now.oldest and timezone.now() - now.oldest > LONG_WAIT:
        threads = sum(worker.threads for worker in runners)
        yield ngettext(
            "Requests wait for minutes: there is %(threads)d place for runs. Set "
            "STUDIO_CONCURRENCY higher, or add a worker.",
            "Requests wait for minutes: there are %(threads)d places for runs. Set "
            "STUDIO_CONCURRENCY higher, or add a worker.",
            threads,
        ) % {"threads": threads}
    if now.disk and now.disk.percent >= NEARLY_FULL:
        yield gettext(
            "The disk is nearly full: %(free)s are left. Delete projects, give people less room "
            "(STUDIO_USER_BYTES), or move the files to a bucket."
        ) % {"free": filesizeformat(now.disk.total - now.disk.used)}
    yield from (f"{each.name}: {each.told}" for each in now.endpoints if not each.good)
    for failure in now.failures:
        if failure.reason in (Reason.CRASHED, Reason.INTERRUPTED):
            yield gettext(
                "Runs were broken off (%(reason)s, %(count)d in a day): look into the worker’s log."
            ) % {"reason": failure.reason, "count": failure.count}
