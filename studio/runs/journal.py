"""The only writer of events: it numbers them, projects them and nudges, in this order."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any, Literal, cast

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.dispatch import Signal

from agent.events import (
    ArtifactInspected,
    ArtifactSaved,
    ArtifactSkipped,
    Reason,
    RunEnded,
    RunPaused,
)
from agent.events import Event as Fact
from agent.store import Blob
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import PATH_LENGTH, Artifact, Version
from studio.inspections import queue
from studio.inspections.models import Inspection, State
from studio.notices.tasks import when_written
from studio.projects.models import Project
from studio.runs import spending
from studio.runs.models import Event, Run, Status
from studio.runs.nudge import nudge

# Sent with the `run` in the transaction that ends it.
run_ended = Signal()


class ClaimLost(Exception):
    """The run has ended, is gone, or belongs to somebody else: nothing was written."""


def append(run_id: uuid.UUID, fact: Fact, *, claim: uuid.UUID) -> int:
    """Write one event and all that follows from it, or nothing; return its number.

    Raises:
        ClaimLost: `claim` is not (any more) the claim of a running run.
    """
    if isinstance(fact, ArtifactSaved) and len(fact.path) > PATH_LENGTH:
        fact = ArtifactSkipped(path=fact.path[:PATH_LENGTH], why="Its path is too long.")
    with transaction.atomic():
        held = Run.objects.filter(pk=run_id, status=Status.RUNNING, claim=claim)
        # This update also locks the row: whoever appends next waits for the commit.
        if not held.update(last_seq=F("last_seq") + 1):
            raise ClaimLost(f"run {run_id} is not held by {claim}")
        run = Run.objects.get(pk=run_id)
        if isinstance(fact, RunPaused) and run.stop_requested:
            fact = _stopped(fact)
        data = storable(fact.data())
        Event.objects.create(run=run, seq=run.last_seq, kind=fact.kind, data=data)
        # Before what follows for others: somebody may be looking on.
        transaction.on_commit(partial(nudge, run_id))
        project(run, fact.kind, data)
    return run.last_seq


def inspected(run_id: uuid.UUID, fact: ArtifactInspected) -> None:
    """Write what somebody found who looked into a file of the run.

    Nobody needs the run's claim for that, and it may come after the run has ended. To be called
    in the transaction that keeps what was found. A run that is gone takes no events.
    """
    with transaction.atomic():
        if not Run.objects.filter(pk=run_id).update(last_seq=F("last_seq") + 1):
            return
        run = Run.objects.get(pk=run_id)
        data = storable(fact.data())
        Event.objects.create(run=run, seq=run.last_seq, kind=fact.kind, data=data)
        transaction.on_commit(partial(nudge, run_id))


def _stopped(fact: RunPaused) -> RunEnded:
    """Who has pressed Stop meanwhile is not asked whether to go on."""
    return RunEnded(
        reason=Reason.STOPPED,
        message=fact.message,
        turns=fact.turns,
        usage=fact.usage,
        resources=fact.resources,
        seconds=fact.seconds,
    )


def project(run: Run, kind: str, data: dict[str, Any]) -> None:
    """Bring runs, artifacts and versions to what the event says."""
    row = Run.objects.filter(pk=run.pk)
    if kind in ("run.paused", "run.ended"):
        queue.look_again(run)
    match kind:
        case "run.started":
            row.update(model=data["model"][:200])
        case "sandbox.ready":
            row.update(sandbox=data["sandbox"][:100])
        case "model.spoke":
            row.update(turns=data["turn"])
            spending.count(run, data["usage"])
        case "user.steered":
            forget_word(run, data["text"])
        case "context.compacted":
            spending.count(run, data["usage"])
        case "artifact.saved":
            save_version(run, data["path"], Blob(data["digest"], data["size"]))
        case "artifact.removed":
            Artifact.objects.filter(project=run.project_id, path=data["path"]).update(removed=True)
        case "workspace.saved":
            row.update(workspace=data["digest"], workspace_size=data["size"])
        case "run.paused":
            row.update(
                status=Status.PAUSED,
                reason=data["reason"],
                message=data["message"],
                resources=added(run.resources, data["resources"]),
                seconds=data["seconds"],
                paused=Now(),
                started=None,
                claim=None,
                lease_until=None,
            )
            Project.objects.filter(pk=run.project_id).update(updated=Now())
            when_written(run, data["reason"])
        case "run.resumed":
            row.update(model=data["model"][:200], reason="", message="")
        case "run.ended":
            row.update(
                status=Status.ENDED,
                reason=data["reason"],
                message=data["message"],
                summary=data["summary"],
                resources=added(run.resources, data["resources"]),
                ended=Now(),
            )
            Project.objects.filter(pk=run.project_id).update(updated=Now())
            when_written(run, data["reason"])
            run_ended.send(Run, run=run)


def forget_word(run: Run, text: str) -> None:
    """It waits no longer; who took it back meanwhile was too late."""
    if word := run.words.filter(text=text).first():
        word.delete()


def added(before: dict[str, Any], used: dict[str, Any]) -> dict[str, Any]:
    """What a run's sandboxes used together, after one more: it gets a new one after a pause."""
    if not before or not any(used.values()):
        return before or used
    return {
        **{name: before[name] + used[name] for name in ("cpu_seconds", "bytes_in", "bytes_out")},
        "peak_memory": max(before["peak_memory"], used["peak_memory"]),
        "disk": used["disk"],
    }


def save_version(run: Run, path: str, blob: Blob) -> None:
    version, inspection = keep_version(run.project_id, path, blob, run=run)
    if inspection and inspection.state == State.DONE:
        inspected(run.pk, found(version, inspection))


def found(version: Version, inspection: Inspection) -> ArtifactInspected:
    """The event that tells of a finished inspection."""
    return ArtifactInspected(
        path=version.artifact.path,
        digest=version.digest,
        verdict=cast(Literal["passed", "warned", "failed", "unknown"], inspection.verdict),
    )


def storable(value: Any) -> Any:
    """The JSON value with NUL and lone surrogates, which databases refuse in texts, replaced."""
    match value:
        case str():
            return (
                value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
            )
        case dict():
            return {storable(key): storable(item) for key, item in value.items()}
        case list() | tuple():
            return [storable(item) for item in value]
    return value
