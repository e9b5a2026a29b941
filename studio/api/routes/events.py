from __future__ import annotations

import json
import uuid

from asgiref.sync import sync_to_async
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from ninja import HeaderEx, P, QueryEx, Router

from studio.api import places, schemas, sockets, stream
from studio.api.tokens import Request
from studio.projects.access import run_of
from studio.runs import feed

router = Router(tags=["Events"])

# The largest number that every database takes for one.
MOST = 2**31 - 1
After = QueryEx[int, P(ge=0, le=MOST, description="The number of the last one you have.")]
LastEventId = HeaderEx[
    int,
    P(alias="Last-Event-ID", ge=0, le=MOST, description="The same; it goes before `after`."),
]

# One of the stream, as an event source reads it.
TOLD = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"type": "string", "description": "What it is, such as `artifact.saved`."},
        "id": {"type": "string", "description": "The number of an event of the run."},
        "data": {"type": "string", "description": "As JSON."},
    },
}


@router.get("/{uuid:run_id}/events", response=schemas.Events, summary="Get events")
def list_events(request: Request, run_id: uuid.UUID, after: After = 0) -> HttpResponse:
    """The next events, at most 200; ask again with the last `seq` until none comes."""
    run = run_of(request.user, run_id)
    rows, _ = feed.events_after(run.pk, after)
    body = f'{{"events":{rows},"run":{json.dumps(feed.state(run))}}}'
    return HttpResponse(body, content_type="application/json")


@router.get(
    "/{uuid:run_id}/stream",
    response={204: None},
    summary="Follow a run",
    openapi_extra={
        "responses": {
            200: {
                "description": "Server-sent events.",
                "content": {stream.MEDIA_TYPE: {"schema": TOLD}},
            }
        }
    },
)
async def follow_run(
    request: Request,
    run_id: uuid.UUID,
    after: After = 0,
    last_event_id: LastEventId = 0,
) -> HttpResponseBase:
    """All events as server-sent events, then each new one until the run is over.

    Their `id` is the number, so that a reader that was cut off goes on where it was. Between them
    come `run` (where the run is) and `hint` (what may be lost, such as typing); `end` is the last
    one. 204 if there is nothing more to tell. The same comes through the WebSocket
    `/ws/runs/{run_id}/?after=`, with the same token; of both a user has at most 20 open at once.
    """
    seen = last_event_id or after
    if await sync_to_async(nothing_left)(request, run_id, seen):
        return HttpResponse(status=204)
    place = await places.take(request.user)
    return StreamingHttpResponse(
        places.told(place, stream.told(sockets.scope_of(request, run_id, seen))),
        content_type=stream.MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def nothing_left(request: Request, run_id: uuid.UUID, seen: int) -> bool:
    state = feed.state(run_of(request.user, run_id))
    return feed.over(state) and state["last_seq"] <= seen
