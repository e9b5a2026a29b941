"""How what is shared was made: what visitors may watch once more, and what they are told of it.

That is what the model said, a line for each thing it did, and when the files came that the share
opens. What commands printed, what the model thought, what it wrote into files, the owner's own
files and what it all cost stay with the project.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from studio.artifacts import links
from studio.runs import feed
from studio.runs.replay import made
from studio.sharing import reach
from studio.sharing.models import Share
from studio.sharing.views import context_of, opened
from studio.web import UserRequest

LINE_CHARS = 300
# Of all else that happens a visitor is told nothing; what events may come to be known later, too.
TOLD = (
    *("run.started", "run.paused", "run.ended"),
    *("model.spoke", "user.steered", "tool.started", "tool.finished"),
    *("artifact.saved", "artifact.removed"),
)


@login_not_required
@require_safe
@opened
def replay(request: UserRequest, share: Share, token: str, number: int) -> HttpResponse:
    """A request that the files come from, once more."""
    runs = list(reach.runs(share))
    run = get_object_or_404(reach.runs(share), number=number)
    at = runs.index(run)
    context = context_of(request, share, token)
    current = {file.latest_id for file in context["files"]}
    artifacts = made(reach.replayed(share).filter(run=run))
    links.sign(request, artifacts, reach.through(share))
    context |= {
        "run": run,
        "place": at + 1,
        "count": len(runs),
        "previous": runs[at - 1] if at else None,
        "next": runs[at + 1] if at + 1 < len(runs) else None,
        "events_url": reverse("shared:events", args=[token, number]),
        "artifacts": [(artifact, artifact.latest_id in current) for artifact in artifacts],
    }
    return render(request, "sharing/replay.html", context)


@login_not_required
@require_safe
@opened
def events(request: UserRequest, share: Share, token: str, number: int) -> HttpResponse:
    run = get_object_or_404(reach.runs(share), number=number)
    seq = feed.after(request.GET.get("after", ""))
    versions = reach.replayed(share).filter(run=run)
    paths = set(versions.values_list("artifact__path", flat=True))
    tell = partial(told, paths=paths, asked=share.show_prompts)
    rows, _ = feed.batch(run.events.filter(seq__gt=seq, kind__in=TOLD), seq, tell)
    return HttpResponse(f'{{"events":{rows}}}', content_type="application/json")


def told(
    kind: str, data: feed.Told, *, paths: Collection[str], asked: bool
) -> dict[str, Any] | None:
    """What a visitor is told of an event: nothing, where it is None."""
    match kind:
        case "run.started":
            return {}  # Time begins here.
        case "model.spoke":
            return {"turn": data["turn"], "text": data["text"], "reasoning": ""}
        case "user.steered":
            return {"text": data["text"]} if asked else None
        case "tool.started":
            did = step(data["tool"], data["arguments"])
            return {"call": data["call"], "tool": data["tool"], "arguments": did}
        case "tool.finished":
            kept = {name: data[name] for name in ("call", "failed", "exit_code", "seconds")}
            return {**kept, "output": ""}
        case "artifact.saved":
            return {"path": data["path"], "size": data["size"]} if data["path"] in paths else None
        case "artifact.removed":
            return {"path": data["path"]} if data["path"] in paths else None
        case "run.paused":
            return {"message": ""}  # For the owner to know; but a clock must not run on meanwhile.
        case "run.ended":
            kept = {name: data[name] for name in ("reason", "summary", "seconds")}
            return {**kept, "message": ""}
    return None


def step(tool: str, arguments: dict[str, Any]) -> dict[str, str]:
    """What stands in the one line of a step; of a command its first one, and that there is more."""
    if tool == "execute_bash":
        line, _, more = str(arguments.get("command", "")).strip().partition("\n")
        cut = "\n…" if more or len(line) > LINE_CHARS else ""
        return {"command": line[:LINE_CHARS] + cut}
    names = {"command", "path"} & arguments.keys()
    return {name: str(arguments[name])[:LINE_CHARS] for name in names}
