"""Signed addresses on the artifact origin: one host for each project, no cookies, short-lived."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import timedelta
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_encode
from django.http import HttpRequest

from studio.artifacts.models import Artifact, Version

LIFETIME = timedelta(hours=6)
ROUNDING = 1800


class Signer(TimestampSigner):
    """Rounds the time, so that a page shown again finds its files in the browser's cache."""

    def __init__(self) -> None:
        super().__init__(sep=".", salt="studio.artifacts")

    def timestamp(self) -> str:
        return b62_encode(int(time.time()) // ROUNDING * ROUNDING)


def valid(token: str, project_id: str) -> bool:
    """Whether a token opens a project's files now."""
    try:
        return Signer().unsign(token, max_age=LIFETIME) == project_id
    except BadSignature:
        return False


def address(request: HttpRequest, project_id: str, path: str, **query: str) -> str:
    """A signed URL of something on the project's own host, at the port of the page."""
    host = f"{project_id}.{settings.ARTIFACT_HOST}"
    if port := urlsplit(f"//{request.get_host()}").port:
        host += f":{port}"
    url = f"{request.scheme}://{host}/{Signer().sign(project_id)}/{quote(path)}"
    return f"{url}?{urlencode(query)}" if query else url


def version_address(
    request: HttpRequest, artifact: Artifact, version: Version, **query: str
) -> str:
    """A signed URL of these bytes and no later ones."""
    return address(request, artifact.project_id, artifact.path, v=version.digest, **query)


def sign(request: HttpRequest, artifacts: Iterable[Artifact]) -> None:
    """Give each artifact the `signed_url` of its newest version."""
    for artifact in artifacts:
        if artifact.latest:
            artifact.signed_url = version_address(request, artifact, artifact.latest)
