"""Addresses of several files, of whatever projects, as one zip."""

from __future__ import annotations

from collections.abc import Sequence

from django.core import signing
from django.http import HttpRequest

from studio.artifacts import links
from studio.artifacts.granted import seen_by
from studio.artifacts.links import Reader
from studio.artifacts.models import Artifact, Version

SALT = "studio.artifacts.bundles"


def address(request: HttpRequest, artifacts: Sequence[Artifact], language: str) -> str:
    """A signed URL, on the host of the first one's project, of files that the user may see.

    What is beside them in the zip is in the reader's `language`.
    """
    keys = signing.dumps([artifact.pk for artifact in artifacts], salt=SALT, compress=True)
    project_id = artifacts[0].project_id
    return links.address(request, project_id, ".studio/files.zip", files=keys, lang=language)


def versions(signed: str, reader: Reader) -> list[Version]:
    """What such an address asks for, as it is now and as far as the reader may still look at it,
    by project; nothing if it is not ours or old.
    """
    try:
        keys = signing.loads(signed, salt=SALT, max_age=links.LIFETIME)
    except signing.BadSignature:
        return []
    shown = Artifact.objects.filter(pk__in=keys, removed=False)
    seen = seen_by(reader, set(shown.values_list("project", flat=True)))
    newest = Version.objects.filter(pk__in=shown.filter(project__in=seen).values("latest"))
    rows = newest.select_related("artifact__project", "inspection")
    return list(rows.order_by("artifact__project__title", "artifact__project", "artifact__path"))
