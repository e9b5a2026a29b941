"""Addresses of glimpses: bytes that belong to no artifact yet, and perhaps never will."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest

from studio.artifacts import links
from studio.artifacts.kinds import kind_and_type

SIGNER = Signer(salt="studio.artifacts.glimpses")
KINDS = ("image", "audio")


@dataclass(frozen=True, slots=True)
class Shown:
    """What an address leads to."""

    digest: str
    media_type: str


def address(request: HttpRequest, project_id: str, path: str, digest: str) -> str:
    """Where the page of `request` finds a glimpse of its project; it is what `path` ends with."""
    ending = PurePosixPath(path).suffix[1:].lower()
    signed = SIGNER.sign(f"{project_id}:{digest}:{ending}").rpartition(":")[2]
    return links.address(request, project_id, f".studio/glimpse/{digest}.{ending}.{signed}")


def shown(name: str, project_id: str) -> Shown | None:
    """What a name below `.studio/glimpse/` stands for; only we can have given it to the project."""
    digest, ending, signature = [*name.split("."), "", ""][:3]
    try:
        SIGNER.unsign(f"{project_id}:{digest}:{ending}:{signature}")
    except BadSignature:
        return None
    kind, media_type = kind_and_type(f"x.{ending}")
    return Shown(digest, media_type) if kind in KINDS else None
