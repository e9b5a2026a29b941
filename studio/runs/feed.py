"""What a page is told about a run, through the socket and when it asks by itself."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.utils.translation import gettext

from agent.events import Reason
from studio import wording
from studio.inspections.queue import open_in
from studio.runs import queueing, spending
from studio.runs.models import Event, Run, Status
from studio.runs.reasons import explanation, question
from studio.runs.usage import allowed, money

BATCH = 200
BATCH_CHARS = 256 * 1024


Told = dict[str, Any]


def after(said: str) -> int:
    """The number after which a reader wants to know; 0 for what is none."""
    return int(said) if said.isdecimal() and len(said) < 19 else 0


def events_after(run_id: uuid.UUID, seq: int) -> tuple[str, int]:
    """The next events as a JSON array, and the number of the last one (`seq` if there is none).

    At most 200, and not many characters more than 256 Ki.
    """
    return batch(Event.objects.filter(run=run_id, seq__gt=seq)[:BATCH], seq, worded)


def batch(
    events: QuerySet[Event], seq: int, tell: Callable[[str, Told], Told | None]
) -> tuple[str, int]:
    """As `events_after`, of these events what `tell` makes of their kind and data: None is left
    out.
    """
    parts: list[str] = []
    chars = 0
    for row in events.values("seq", "kind", "at", "data").iterator(chunk_size=50):
        told = tell(row["kind"], row["data"])
        if told is None:
            continue
        parts.append(json.dumps({**row, "data": told}, cls=DjangoJSONEncoder, ensure_ascii=False))
        seq, chars = row["seq"], chars + len(parts[-1])
        if len(parts) >= BATCH or chars >= BATCH_CHARS:
            break
    return f"[{','.join(parts)}]", seq


def worded(kind: str, data: Told) -> Told:
    """What a person is told of an event, with the sentences in their language."""
    if kind == "run.ended":
        return {**data, "message": explanation(data["reason"], data["message"])}
    if kind == "run.paused":
        return {**data, "message": question(data["reason"])}
    if kind == "artifact.skipped":
        return {**data, "why": wording.told(data["why"])}
    return data


def state(run: Run) -> dict[str, Any]:
    """Where a run is, ready for JSON; `queue_position` is 1 for the next one to start."""
    return {
        "status": run.status,
        "stopping": run.active and run.stop_requested,
        "reason": run.reason,
        "message": explanation(run.reason, run.message),
        "pause": pause(run),
        "words": [{"id": word.pk, "text": word.text} for word in run.words.all()],
        "queue_position": queueing.position(run),
        "wait": queueing.expected(run),
        "started": run.started and run.started.isoformat(),
        "seconds": run.seconds,
        "ended": run.ended and run.ended.isoformat(),
        "turns": run.turns,
        "tokens_in": run.tokens_in,
        "tokens_out": run.tokens_out,
        "cost": money(run.cost) if run.cost else "",
        "model": run.model,
        "facts": run.facts,
        "inspecting": open_in(run),
        "last_seq": run.last_seq,
    }


def pause(run: Run) -> dict[str, str] | None:
    """What the owner of a paused run is asked, and what they would allow; None for others."""
    if run.status != Status.PAUSED:
        return None
    allows = gettext("Going on allows up to %(budget)s more.") % {"budget": allowed()}
    waits = ""
    if run.reason == Reason.DAY_LIMIT:
        waits = spending.refusal(run.project.owner_id, own=run.project.is_own)
    return {"question": question(run.reason), "allowance": waits or allows}


def over(state: dict[str, Any]) -> bool:
    """Whether nothing can follow on what a run that is in this state has told."""
    return state["status"] == Status.ENDED and not state["inspecting"]
