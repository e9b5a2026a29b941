"""Signed addresses on the artifact origin: one host for each project, no cookies, short-lived.

The signature is the first part of the path, so relative links inside a page keep it. It is for a
project, or for a project as it was when one version of a file was made.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_encode
from django.db.models import prefetch_related_objects
from django.http import HttpRequest

from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, Role
from studio.projects.models import Input

LIFETIME = timedelta(hours=6)
ROUNDING = 1800


class Signer(TimestampSigner):
    """Rounds the time, so that a page shown again finds its files in the browser's cache."""

    def __init__(self) -> None:
        super().__init__(sep=".", salt="studio.artifacts")

    def timestamp(self) -> str:
        return b62_encode(int(time.time()) // ROUNDING * ROUNDING)


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token opens: the files of a project, as they were with a `version` if it names one."""

    project: str
    version: int | None


def read(token: str) -> Grant | None:
    """What a token opens now, if it is ours and not too old."""
    try:
        project, _, version = Signer().unsign(token, max_age=LIFETIME).partition("@")
    except BadSignature:
        return None
    return Grant(project, int(version) if version else None)


def address(
    request: HttpRequest, project_id: str, path: str, *, at: Version | None = None, **query: str
) -> str:
    """A signed URL of something on the project's own host, at the port of the page.

    `at` is the version that is looked at: if there is a newer one, the files that a page loads
    beside itself come as they were then.
    """
    granted = f"{project_id}@{at.pk}" if at else project_id
    host = f"{project_id}.{settings.ARTIFACT_HOST}"
    if port := urlsplit(f"//{request.get_host()}").port:
        host += f":{port}"
    url = f"{request.scheme}://{host}/{Signer().sign(granted)}/{quote(path)}"
    return f"{url}?{urlencode(query)}" if query else url


def version_address(
    request: HttpRequest, artifact: Artifact, version: Version, **query: str
) -> str:
    """A signed URL of these bytes and no later ones."""
    return address(
        request, artifact.project_id, artifact.path, at=version, v=version.digest, **query
    )


def sign(request: HttpRequest, artifacts: Collection[Artifact]) -> None:
    """Give each artifact the `signed_url` of its newest version, what was found in that, and the
    addresses of what shows it.
    """
    versions = [artifact.latest for artifact in artifacts if artifact.latest]
    prefetch_related_objects(versions, "inspection__previews")
    for artifact in artifacts:
        if artifact.latest:
            artifact.signed_url = version_address(request, artifact, artifact.latest)
        artifact.inspection = getattr(artifact.latest, "inspection", None)
        sign_previews(request, artifact, artifact.inspection)


def sign_inputs(request: HttpRequest, inputs: Collection[Input]) -> None:
    """Give each input the addresses of what shows it."""
    prefetch_related_objects(list(inputs), "inspection__previews")
    for file in inputs:
        sign_previews(request, file, getattr(file, "inspection", None))


def sign_previews(
    request: HttpRequest, thing: Artifact | Input, inspection: Inspection | None
) -> None:
    """`poster_url`, `strip_url`, `peaks_url` and `sound_url`, empty for what there is not."""
    previews = inspection.previews.all() if inspection else ()
    digests = {preview.role: preview.digest for preview in previews}
    for role in Role:
        path = f".studio/preview/{digests[role]}" if role in digests else ""
        url = address(request, thing.project_id, path) if path else ""
        setattr(thing, f"{role}_url", url)
