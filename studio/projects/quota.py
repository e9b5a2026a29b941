"""How much of the store the files of one user may take, together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from agent.errors import ToolError
from agent.store import ArtifactStore, Blob
from studio.accounts.models import User
from studio.artifacts.models import Version
from studio.media import store
from studio.projects.models import Input
from studio.runs.models import Run


@dataclass(frozen=True, slots=True)
class Usage:
    """`used` of `most` bytes."""

    used: int
    most: int

    @property
    def percent(self) -> int:
        return min(100, 100 * self.used // self.most)


def usage(user_id: int) -> Usage | None:
    """What a user's files take; None where they may take whatever they like."""
    if settings.USER_BYTES is None:
        return None
    return Usage(used(user_id), settings.USER_BYTES)


def used(user_id: int) -> int:
    """What the inputs, the versions and the latest workspaces take; the same bytes count once."""
    ((total,),) = _asked("SELECT COALESCE(SUM(size), 0) FROM {held}", user_id)
    return int(total)


def held(user_id: int, digests: Collection[str]) -> set[str]:
    """Which of these bytes a user has already."""
    if not digests:
        return set()
    marks = ", ".join(["%s"] * len(digests))
    rows = _asked(f"SELECT digest FROM {{held}} WHERE digest IN ({marks})", user_id, *digests)
    return {digest for (digest,) in rows}


def _asked(question: str, user_id: int, *params: str) -> list[tuple]:
    sql, own = _holdings(user_id).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(question.format(held=f"({sql}) AS held"), (*own, *params))
        return cursor.fetchall()


def _holdings(user_id: int) -> QuerySet:
    later = Run.objects.filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    kept = Run.objects.filter(~Exists(later.exclude(workspace="")), project__owner=user_id)
    return (
        Input.objects.filter(project__owner=user_id)
        .order_by()
        .values_list("digest", "size")
        .union(
            Version.objects.filter(artifact__project__owner=user_id)
            .order_by()
            .values_list("digest", "size"),
            kept.exclude(workspace="").order_by().values_list("workspace", "workspace_size"),
        )
    )


def excess(user_id: int, blobs: Iterable[Blob]) -> Usage | None:
    """What the user's files would take with these, if that is too much."""
    before = usage(user_id)
    if before is None:
        return None
    new = {blob.digest: blob.size for blob in blobs}
    for digest in held(user_id, list(new)):
        del new[digest]
    after = Usage(before.used + sum(new.values()), before.most)
    return after if new and after.used > after.most else None


def refusal(user_id: int, blobs: Iterable[Blob]) -> str:
    """Why a user can't begin a run with these files, in their language; empty if they can.

    To be asked in the transaction that writes the rows: until it ends, nobody else of the same
    user gets an answer.
    """
    if settings.USER_BYTES is None:
        return ""
    User.objects.select_for_update().get(pk=user_id)
    now = Usage(used(user_id), settings.USER_BYTES)
    sizes = {"used": filesizeformat(now.used), "most": filesizeformat(now.most)}
    if now.used >= now.most:
        told = gettext(
            "Your files take %(used)s of the %(most)s that they may. Delete a project that you no "
            "longer need, then ask again."
        )
        return told % sizes
    if excess(user_id, blobs):
        told = gettext(
            "These files don't fit: yours take %(used)s already, of %(most)s that they may. Attach "
            "less, or delete a project that you no longer need."
        )
        return told % sizes
    return ""


class OwnStore:
    """The store for what a user's run makes: it takes no more than the user may have.

    Runs at the same time may each go over it by the one file that they are storing.
    """

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id

    def put(self, chunks: Iterable[bytes]) -> Blob:
        """Store all chunks.

        Raises:
            ToolError: there is no room left for them.
        """
        with store().incoming() as new:
            for chunk in chunks:
                new.write(chunk)
            if over := excess(self._user_id, [new.blob]):
                most = filesizeformat(over.most)
                raise ToolError(f"there is no room left: your files may take {most} together")
            return new.commit()

    def open(self, digest: str) -> Iterator[bytes]:
        return store().open(digest)


def own_store(user_id: int) -> ArtifactStore:
    """Where the bytes go that somebody makes."""
    return OwnStore(user_id) if settings.USER_BYTES is not None else store()
