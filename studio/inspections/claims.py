"""Who may inspect a file: whoever moved it from waiting to running, while the lease is renewed."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, QuerySet
from django.db.models.functions import Coalesce, Now

from studio.inspections.models import OPEN, Inspection, State
from studio.inspections.queue import of_project

LEASE = timedelta(seconds=60)
TRIES = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """An inspection that nobody else works on as long as `token` is on it."""

    inspection: int
    token: uuid.UUID


def waiting(project_id: str) -> QuerySet[Inspection]:
    """The files of a project that nobody inspects yet, the newest first.

    Who looks at the gallery sees that one first.
    """
    found = Inspection.objects.filter(of_project(project_id), state=State.WAITING)
    return found.order_by("-created", "-pk")


def next_project() -> str | None:
    """Whose turn it is, if anything waits: a project of the user who has the fewest files in work.

    Of several such users the one with the fewest that wait: so who has one file is not kept by
    who has a thousand.
    """
    found = Inspection.objects.filter(state__in=OPEN).values_list(
        "state",
        Coalesce("version__artifact__project", "input__project"),
        Coalesce("version__artifact__project__owner", "input__project__owner"),
    )
    counted = list(found.annotate(count=Count("pk")).order_by())
    users: dict[str, Counter[int]] = {state: Counter() for state in OPEN}
    for state, _, user, count in counted:
        users[state][user] += count
    waiting = [
        (users[State.RUNNING][user], users[State.WAITING][user], count, project)
        for state, project, user, count in counted
        if state == State.WAITING
    ]
    return min(waiting)[-1] if waiting else None


def claim_next(project_id: str) -> Claim | None:
    """Take the newest waiting file of a project, if there is one."""
    # Others may take the first few meanwhile.
    for key in waiting(project_id).values_list("pk", flat=True)[:20]:
        claim = Claim(key, uuid.uuid4())
        taken = Inspection.objects.filter(pk=key, state=State.WAITING).update(
            state=State.RUNNING,
            claim=claim.token,
            lease_until=Now() + LEASE,
            tries=F("tries") + 1,
        )
        if taken:
            return claim
    return None


def held(claim: Claim) -> QuerySet[Inspection]:
    """The row, as long as the claim holds: the only way to change it."""
    return Inspection.objects.filter(pk=claim.inspection, state=State.RUNNING, claim=claim.token)


def renew(claim: Claim) -> bool:
    """Keep a claim for another lease; False if it is lost: the file is gone or written anew."""
    return held(claim).update(lease_until=Now() + LEASE) == 1


def seize(inspection: int) -> Claim | None:
    """Take over from a holder whose lease has run out."""
    claim = Claim(inspection, uuid.uuid4())
    expired = Inspection.objects.filter(pk=inspection, state=State.RUNNING, lease_until__lt=Now())
    return claim if expired.update(claim=claim.token, lease_until=Now() + LEASE) else None


def put_back(claim: Claim, *, tried: bool) -> bool:
    """Let somebody else try; False if it was tried often enough.

    Without `tried` this one does not count.
    """
    row = held(claim).filter(tries__lt=TRIES) if tried else held(claim)
    tries = F("tries") if tried else F("tries") - 1
    return row.update(state=State.WAITING, claim=None, lease_until=None, tries=tries) == 1
