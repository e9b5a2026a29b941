"""Signed addresses on the artifact origin: one host for each project, no cookies, short-lived.

The signature is the first part of the path, so relative links inside a page keep it. It is for a
project, or for a project as it was when one version of a file was made; and for members of it, or
for whoever came with the link of a share, which the origin asks whether it still opens that.
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
class Through:
    """The share that somebody came through, and its edition at that time."""

    share: int
    edition: int


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token opens: the files of a project, as they were with a `version` if it names one;
    `through` a share no more than that still opens.
    """

    project: str
    version: int | None
    through: Through | None = None


def read(token: str) -> Grant | None:
    """What a token opens now, if it is ours and not too old."""
    try:
        granted, _, share = Signer().unsign(token, max_age=LIFETIME).partition("~")
    except BadSignature:
        return None
    project, _, version = granted.partition("@")
    through = Through(*map(int, share.split("-"))) if share else None
    return Grant(project, int(version) if version else None, through)


def address(
    request: HttpRequest,
    project_id: str,
    path: str,
    *,
    at: Version | None = None,
    through: Through | None = None,
    **query: str,
) -> str:
    """A signed URL of something on the project's own host, at the port of the page.

    `at` is the version that is looked at: if there is a newer one, the files that a page loads
    beside itself come as they were then. `through` must be given to whoever came with a link.
    """
    granted = f"{project_id}@{at.pk}" if at else project_id
    if through:
        granted += f"~{through.share}-{through.edition}"
    host = f"{project_id}.{settings.ARTIFACT_HOST}"
    if port := urlsplit(f"//{request.get_host()}").port:
        host += f":{port}"
    url = f"{request.scheme}://{host}/{Signer().sign(granted)}/{quote(path)}"
    return f"{url}?{urlencode(query)}" if query else url


def version_address(
    request: HttpRequest,
    artifact: Artifact,
    version: Version,
    *,
    through: Through | None = None,
    **query: str,
) -> str:
    """A signed URL of these bytes and no later ones."""
    query = {"v": version.digest, **query}
    return address(
        request, artifact.project_id, artifact.path, at=version, through=through, **query
    )


def sign(
    request: HttpRequest, artifacts: Collection[Artifact], through: Through | None = None
) -> None:
    """Give each artifact the `signed_url` of its newest version, what was found in that, and the
    addresses of what shows it.
    """
    versions = [artifact.latest for artifact in artifacts if artifact.latest]
    prefetch_related_objects(versions, "inspection__previews")
    for artifact in artifacts:
        if artifact.latest:
            artifact.signed_url = version_address(
                request, artifact, artifact.latest, through=through
            )
        artifact.inspection = getattr(artifact.latest, "inspection", None)
        sign_previews(request, artifact, artifact.inspection, through)


def sign_inputs(request: HttpRequest, inputs: Collection[Input]) -> None:
    """Give each input the addresses of what shows it."""
    prefetch_related_objects(list(inputs), "inspection__previews")
    for file in inputs:
        sign_previews(request, file, getattr(file, "inspection", None))


def sign_previews(
    request: HttpRequest,
    thing: Artifact | Input,
    inspection: Inspection | None,
    through: Through | None = None,
) -> None:
    """`poster_url`, `strip_url`, `peaks_url` and `sound_url`, empty for what there is not."""
    previews = inspection.previews.all() if inspection else ()
    digests = {preview.role: preview.digest for preview in previews}
    # A visitor's page goes on showing the version it was made for.
    at = inspection.version if inspection and through else None
    for role in Role:
        path = f".studio/preview/{digests[role]}" if role in digests else ""
        url = address(request, thing.project_id, path, at=at, through=through) if path else ""
        setattr(thing, f"{role}_url", url)
