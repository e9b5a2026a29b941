"""Signed addresses on the artifact origin: one host for each project, no cookies, short-lived.

The signature is the first part of the path, so relative links inside a page keep it. It is for a
project, or for a project as it was when one version of a file was made; and for one reader, or for
whoever came with the link of a share: the origin asks each time whether they may still look.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_encode
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.http.request import split_domain_port

from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, Role
from studio.projects.models import Input

LIFETIME = timedelta(hours=6)
ROUNDING = 1800
GRANTED = re.compile(r"(\w+)(?:@(\d+))?~(?:u(\d+)(?:t(\d+))?|s(\d+)e(\d+))")


class Signer(TimestampSigner):
    """Rounds the time, so that a page shown again finds its files in the browser's cache."""

    def __init__(self) -> None:
        super().__init__(sep=".", salt="studio.artifacts")

    def timestamp(self) -> str:
        return b62_encode(int(time.time()) // ROUNDING * ROUNDING)


@dataclass(frozen=True, slots=True)
class Reader:
    """A user who may look at a project, and the token of the API that they came with, if any."""

    user: int
    token: int | None = None

    def __str__(self) -> str:
        return f"u{self.user}t{self.token}" if self.token else f"u{self.user}"


@dataclass(frozen=True, slots=True)
class Through:
    """The share that somebody came through, and its edition at that time."""

    share: int
    edition: int

    def __str__(self) -> str:
        return f"s{self.share}e{self.edition}"


@dataclass(frozen=True, slots=True)
class Moment:
    """The files of a project as they are, or as they were with a `version`."""

    project: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Grant(Moment):
    """What a token opens, as long as the reader may look; `to` who comes through a share no more
    than that opens.
    """

    to: Reader | Through


def read(token: str) -> Grant | None:
    """What a token opens, if it is ours and not too old."""
    try:
        granted = GRANTED.fullmatch(Signer().unsign(token, max_age=LIFETIME))
    except BadSignature:
        return None
    if granted is None:
        return None  # Signed before an update.
    project, version, user, token_key, share, edition = granted.groups()
    to = (
        Reader(int(user), int(token_key) if token_key else None)
        if user
        else Through(int(share), int(edition))
    )
    return Grant(project, int(version) if version else None, to)


def reader_of(request: HttpRequest) -> Reader:
    """Who asks: the user who is signed in, or whose token it is."""
    assert request.user.is_authenticated
    token = getattr(request, "auth", None)
    return Reader(request.user.pk, token and token.pk)


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
    beside itself come as they were then. It is for whoever asks, or for whoever came `through` a
    share.
    """
    granted = f"{project_id}@{at.pk}" if at else project_id
    granted += f"~{through or reader_of(request)}"
    host = f"{project_id}.{settings.ARTIFACT_HOST}"
    if port := split_domain_port(request.get_host())[1]:
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
