"""A run's trajectory as a file to take away."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import islice

from asgiref.sync import sync_to_async
from django.http import Http404, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from agent.events import from_data
from agent.trajectories import Timed, chat, lines, steps
from studio.projects.access import run_of
from studio.runs.history import history
from studio.runs.models import Run
from studio.web import UserRequest

ROWS, PIECES = 100, 20

Writer = Callable[[Run], Iterator[str]]
FORMS: Mapping[str, tuple[str, str, Writer]] = {
    "messages": (
        "messages.json",
        "application/json",
        lambda run: chat.write(events(run), history(run)),
    ),
    "steps": ("trajectory.json", "application/json", lambda run: steps.write(events(run))),
    "events": ("run.jsonl", "application/jsonl", lambda run: lines.write(events(run))),
}


@never_cache
@require_GET
def trajectory(request: UserRequest, run_id: uuid.UUID) -> StreamingHttpResponse:
    """What happened so far, `?form=` messages, steps or events."""
    run = run_of(request.user, run_id)
    try:
        name, media_type, write = FORMS[request.GET.get("form", "events")]
    except KeyError as error:
        raise Http404 from error
    return StreamingHttpResponse(
        bit_by_bit(write(run)),
        content_type=media_type,
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )


def events(run: Run) -> Iterator[Timed]:
    """The events, read in batches: a reader who is slow holds nothing open in the database."""
    seq = 0
    while rows := list(run.events.filter(seq__gt=seq)[:ROWS]):
        for row in rows:
            yield row.at.isoformat(timespec="milliseconds"), from_data(row.kind, row.data)
            seq = row.seq


async def bit_by_bit(pieces: Iterator[str]) -> AsyncIterator[str]:
    """What a server that serves many at once can send as it comes."""
    while some := await sync_to_async(lambda: "".join(islice(pieces, PIECES)))():
        yield some
