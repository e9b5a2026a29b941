"""Rows as the API shows them; `studio.api.schemas` says what is in each."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from studio.api import models
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection
from studio.projects.models import Input, Project, Role
from studio.runs import feed, queueing
from studio.runs.models import Run
from studio.runs.reasons import explanation

Shown = dict[str, Any]


def absolute(request: HttpRequest, path: str) -> str:
    return request.build_absolute_uri(path)


def route(request: HttpRequest, name: str, *args: object) -> str:
    """The address of a route of the API."""
    return absolute(request, reverse(f"api:{name}", args=args))


def project(request: HttpRequest, row: Project) -> Shown:
    return {
        "id": row.pk,
        "title": row.title,
        "network": row.network,
        "model": row.model,
        "role": Role(row.role).name.lower(),
        "created": row.created,
        "updated": row.updated,
        "url": absolute(request, row.get_absolute_url()),
    }


def run(request: HttpRequest, row: Run) -> Shown:
    return {
        "id": row.pk,
        "project": row.project_id,
        "number": row.number,
        "prompt": row.prompt,
        "status": row.status,
        "reason": row.reason,
        "message": explanation(row.reason, row.message),
        "summary": row.summary,
        "model": row.model,
        "stopping": row.active and row.stop_requested,
        "queue_position": queueing.position(row),
        "pause": feed.pause(row),
        "created": row.created,
        "started": row.started,
        "paused": row.paused,
        "ended": row.ended,
        "turns": row.turns,
        "tokens_in": row.tokens_in,
        "tokens_out": row.tokens_out,
        "tokens_cached": row.tokens_cached,
        "cost": row.cost,
        "last_seq": row.last_seq,
        "url": absolute(request, reverse("projects:detail", args=[row.project_id])),
    }


def artifact(request: HttpRequest, row: Artifact) -> Shown:
    inspection = getattr(row.latest, "inspection", None)
    return {
        "id": row.pk,
        "project": row.project_id,
        "path": row.path,
        "kind": row.kind,
        "size": row.size,
        "version": row.version_number,
        "digest": row.latest.digest if row.latest else "",
        "removed": row.removed,
        "updated": row.updated,
        "verdict": inspection.verdict if inspection else "unknown",
        "url": absolute(request, row.detail_url),
        "download": route(request, "download_artifact", row.project_id, row.pk),
    }


def version(request: HttpRequest, artifact: Artifact, row: Version) -> Shown:
    inspection = getattr(row, "inspection", None)
    download = route(request, "download_artifact", artifact.project_id, artifact.pk)
    return {
        "number": row.number,
        "digest": row.digest,
        "size": row.size,
        "media_type": row.media_type,
        "created": row.created,
        "run": row.run_id,
        "made": row.made,
        "check": check(inspection) if inspection else None,
        "download": f"{download}?digest={row.digest}",
    }


def check(row: Inspection) -> Shown:
    return {
        "state": row.state,
        "verdict": row.verdict,
        "media_type": row.media_type,
        "facts": row.facts,
        "remarks": [{"level": each.level, "text": each.text} for each in row.remarks],
    }


def input_file(request: HttpRequest, row: Input) -> Shown:
    return {
        "id": row.pk,
        "name": row.name,
        "size": row.size,
        "digest": row.digest,
        "created": row.created,
        "download": route(request, "download_input", row.project_id, row.pk),
    }


def webhook(row: models.Webhook) -> Shown:
    return {"id": row.pk, "url": row.url, "active": row.active, "created": row.created}


def delivery(row: models.Delivery) -> Shown:
    waits = row.state == models.DeliveryState.WAITING
    return {
        "id": row.pk,
        "run": row.run_id,
        "state": row.state,
        "attempts": row.attempts,
        "due": row.due if waits else None,
        "answer": row.answer,
        "problem": row.trouble,
        "created": row.created,
    }
