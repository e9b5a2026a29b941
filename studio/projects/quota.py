"""How much of the store the files of one user may take, together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from agent.errors import ToolError
from agent.store import ArtifactStore, Blob
from studio.accounts.models import User
from studio.artifacts.models import Version
from studio.inspections.models import Preview
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
        return min(100, 100 * self.used // self.most) if self.most else 100


def allowance(user_id: int) -> int | None:
    """How much a user's files may take: what an operator gave them, else what is usual here."""
    room = User.objects.filter(pk=user_id).values_list("room", flat=True).first()
    return settings.USER_BYTES if room is None else room * 2**20


def usage(user_id: int) -> Usage | None:
    """What a user's files take; None where they may take whatever they like."""
    most = allowance(user_id)
    return None if most is None else Usage(used(user_id), most)


def used(user_id: int | None, *, without: str | None = None) -> int:
    """What the inputs, the versions, their previews and the latest workspaces take.

    Without a user, those of everybody. The same bytes count once, and the workspace `without` does
    not count.
    """
    return _sums(user_id, without=without)[0]


def _sums(
    user_id: int | None, digests: Collection[str] = (), *, without: str | None = None
) -> tuple[int, int]:
    """What all that takes, and how much of it has one of these digests."""
    sql, own = _holdings(user_id, without).query.sql_with_params()
    marks = ", ".join(["%s"] * len(digests)) or "''"
    among = f"CASE WHEN digest IN ({marks}) THEN size ELSE 0 END"
    with connection.cursor() as cursor:
        sums = f"COALESCE(SUM(size), 0), COALESCE(SUM({among}), 0)"
        cursor.execute(f"SELECT {sums} FROM ({sql}) AS held", (*digests, *own))
        total, part = cursor.fetchone()
    return int(total), int(part)


def _holdings(user_id: int | None, without: str | None = None) -> QuerySet:
    """Digests and sizes, each pair once."""

    def of(project: str) -> Q:
        return Q() if user_id is None else Q(**{f"{project}__owner": user_id})

    later = Run.objects.filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    kept = Run.objects.filter(~Exists(later.exclude(workspace="")), of("project"))
    inputs = Input.objects.filter(of("project"))
    versions = Version.objects.filter(of("artifact__project"))
    previews = Preview.objects.filter(
        of("inspection__version__artifact__project") | of("inspection__input__project")
    )
    pairs = (each.order_by().values_list("digest", "size") for each in (versions, previews))
    workspaces = kept.exclude(workspace__in=["", without or ""])
    return (
        inputs.order_by()
        .values_list("digest", "size")
        .union(*pairs, workspaces.order_by().values_list("workspace", "workspace_size"))
    )


def excess(user_id: int, blobs: Iterable[Blob], *, instead_of: str | None = None) -> Usage | None:
    """What the user's files would take with these, if that is too much.

    The workspace `instead_of` which they are kept does not count.
    """
    most = allowance(user_id)
    if most is None:
        return None
    sizes = {blob.digest: blob.size for blob in blobs if blob.digest != instead_of}
    before, held = _sums(user_id, list(sizes), without=instead_of)
    new = sum(sizes.values()) - held
    after = Usage(before + new, most)
    return after if new and after.used > after.most else None


def refusal(user_id: int, blobs: Iterable[Blob], *, own: bool = True) -> str:
    """Why no run can begin with these files of a user, in the reader's language; empty if it can.

    That is the user, or with `own` False somebody whom they let in. To be asked in the transaction
    that writes the rows: until it ends, nobody else gets an answer about the same user.
    """
    now = _locked(user_id)
    if now is None or now.used < now.most:
        return no_room(user_id, blobs, own=own)
    if not own:
        return gettext(
            "The owner of this project has no room left for files. Ask them to make some, then "
            "ask again."
        )
    told = gettext(
        "Your files take %(used)s of the %(most)s that they may. Delete a project that you no "
        "longer need and empty the trash, then ask again."
    )
    return told % _sizes(now)


def no_room(user_id: int, blobs: Iterable[Blob], *, own: bool = True) -> str:
    """Why these files can't be added to a user's others, in the reader's language; empty if they
    can.

    To be asked in the transaction that adds them, like `refusal`.
    """
    now = _locked(user_id)
    if now is None or not excess(user_id, blobs):
        return ""
    if not own:
        return gettext(
            "The owner of this project has no room for these files. Attach less, or ask them to "
            "make some."
        )
    told = gettext(
        "These files don’t fit: yours take %(used)s already, of %(most)s that they may. Attach "
        "less, or delete a project that you no longer need and empty the trash."
    )
    return told % _sizes(now)


def hold(user_id: int) -> None:
    """Let nobody else add to a user's files until this transaction ends; before it holds a project
    or a run, since all take them in this order.
    """
    if allowance(user_id) is not None:
        User.objects.select_for_update(no_key=True).get(pk=user_id)


def _locked(user_id: int) -> Usage | None:
    """The usage, which only this transaction can add to until it ends."""
    hold(user_id)
    return usage(user_id)


def _sizes(now: Usage) -> dict[str, str]:
    return {"used": filesizeformat(now.used), "most": filesizeformat(now.most)}


class NoRoomLeft(ToolError):
    """A user's files take all that they may; the message is for the model."""


class OwnStore:
    """The store for what a user's run makes: it takes no more than the user may have.

    Runs at the same time may each go over it by the one file that they are storing.
    """

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id

    def put(self, chunks: Iterable[bytes], *, instead_of: str | None = None) -> Blob:
        """Store all chunks.

        Raises:
            NoRoomLeft: there is no room left for them.
        """
        with store().incoming() as new:
            for chunk in chunks:
                new.write(chunk)
            if over := excess(self._user_id, [new.blob], instead_of=instead_of):
                most = filesizeformat(over.most)
                raise NoRoomLeft(f"there is no room left: your files may take {most} together")
            return new.commit()

    def open(self, digest: str) -> Iterator[bytes]:
        return store().open(digest)


def own_store(user_id: int) -> ArtifactStore:
    """Where the bytes go that somebody makes."""
    return OwnStore(user_id) if allowance(user_id) is not None else store()
