"""Turn what somebody typed and attached into a queued run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from agent.store import Blob
from studio.accounts.models import User
from studio.endpoints import choices
from studio.inspections.queue import expect_input
from studio.projects import networks, quota
from studio.projects.models import Input, Project, title_from
from studio.projects.uploads import Upload, clean_name, unique_name
from studio.runs import branching, pausing, spending
from studio.runs.models import Run, Status
from studio.runs.tasks import send

PROMPT_CHARS = 20_000


class BadRequest(Exception):
    """The form can't be accepted; the message tells the user what to change."""

    status = 422


class Busy(BadRequest):
    """The project has a run that has not ended."""

    status = 409


class DayUsedUp(BadRequest):
    """The user has to wait for tomorrow; the message says for how long."""

    status = 429


class NoRoom(BadRequest):
    """The user's files take all that they may; the message says what to do."""

    status = 413


def read_form(request: HttpRequest) -> tuple[str, list[Upload]]:
    """The prompt and the usable uploads of a form.

    Raises:
        BadRequest: the prompt is empty or too long, or a file can't be used.
    """
    prompt = request.POST.get("prompt", "").replace("\r\n", "\n").replace("\0", "").strip()
    if not prompt:
        raise BadRequest(_("Say what you would like to have."))
    if len(prompt) > PROMPT_CHARS:
        raise BadRequest(
            _(
                "The request has %(count)d characters; at most %(most)d are possible. Put longer "
                "texts into a file and attach it."
            )
            % {"count": len(prompt), "most": PROMPT_CHARS}
        )
    return prompt, read_uploads(request)


def read_uploads(request: HttpRequest) -> list[Upload]:
    """The usable uploads of a form.

    Raises:
        BadRequest: there are too many, or one can't be used.
    """
    # Each of them is ours: there is no other upload handler.
    uploads = cast(list[Upload], request.FILES.getlist("files"))
    if len(uploads) > settings.UPLOAD_FILES:
        raise BadRequest(
            _("At most %(most)d files can be attached at once.") % {"most": settings.UPLOAD_FILES}
        )
    if problems := [upload.problem for upload in uploads if upload.problem]:
        raise BadRequest(" ".join(problems))
    return uploads


def read_network(request: HttpRequest, wanted: str) -> str:
    """The network that a form asks for; without a word about it what was `wanted` before.

    Raises:
        BadRequest: it is not on offer.
    """
    asked = request.POST.get("network")
    if asked is None or asked == wanted:
        return wanted
    if asked not in [choice.network for choice in networks.offered(wanted)]:
        raise BadRequest(_("This network is not available here. Reload the page and choose again."))
    return asked


def read_model(request: HttpRequest, wanted: str) -> str:
    """The model that a form asks for; without a word about it what was `wanted` before.

    Raises:
        BadRequest: it is not on offer.
    """
    asked = request.POST.get("model")
    if asked is None or asked == wanted:
        return wanted
    if asked not in [choice.value for choice in choices.offered(wanted)]:
        raise BadRequest(_("This model is not available here. Reload the page and choose again."))
    return asked


def begin_project(
    owner: User,
    prompt: str,
    uploads: Sequence[Upload],
    network: str | None = None,
    model: str = "",
) -> Run:
    """A new project, with the usual network and model unless others are given, and its first run.

    Raises:
        DayUsedUp: what the user may spend in a day is spent.
        NoRoom: the user's files would take more than they may.
        BadRequest: a file can't be stored.
    """
    admit(owner.pk, uploads)
    with transaction.atomic():
        project = Project.objects.create(
            owner=owner,
            title=title_from(prompt),
            network=network or networks.usual(),
            model=model,
        )
        return begin_run(project, prompt, uploads)


def read_base(request: HttpRequest, project: Project) -> Run | None:
    """The earlier request that a form wants to go on from; none for the last one.

    Raises:
        BadRequest: there is no such request that has ended.
    """
    number = request.POST.get("base", "")
    if not number:
        return None
    ended = project.runs.filter(status=Status.ENDED, ended__isnull=False)
    base = ended.filter(number=number[:9]).first() if number.isdecimal() else None
    if base is None:
        raise BadRequest(_("This request is no longer there. Reload the page and choose again."))
    return base if base.number < (ended.aggregate(last=Max("number"))["last"]) else None


def admit(owner_id: int, uploads: Sequence[Upload], *, own: bool = True) -> None:
    """Let a request of a user in, and store what came with it; `own` as `spending.refusal` has it.

    That is before the transaction that names the files: while a disk or a bucket takes its time,
    nobody waits for the database. Who opens one around `begin_project` admits first.

    Raises:
        DayUsedUp: what the user may spend in a day is spent.
        NoRoom: the user's files would take more than they may.
        BadRequest: a file can't be stored.
    """
    if refusal := spending.refusal(owner_id, own=own):
        raise DayUsedUp(refusal)
    left = [upload for upload in uploads if not upload.stored]
    if not left:
        return
    with transaction.atomic():
        if refusal := quota.refusal(owner_id, [upload.blob for upload in left], own=own):
            raise NoRoom(refusal)
    store_all(left)


def begin_run(
    project: Project, prompt: str, uploads: Sequence[Upload] = (), base: Run | None = None
) -> Run:
    """Queue the next run of a project, and send it to the workers; keep the project's choices.

    One that had paused is left as it is. With a `base` it goes on from there, and the files become
    those that run left.

    Raises:
        DayUsedUp: what the user may spend in a day is spent.
        NoRoom: the user's files would take more than they may.
        Busy: another run of the project is being worked on.
        BadRequest: a file can't be stored, or the project was deleted meanwhile.
    """
    busy = Busy(_("The last request is still being worked on. Wait for it or stop it."))
    if uploads and project.busy:
        raise busy
    admit(project.owner_id, uploads, own=project.is_own)
    try:
        with transaction.atomic():
            blobs = [upload.blob for upload in uploads]
            if refusal := quota.refusal(project.owner_id, blobs, own=project.is_own):
                raise NoRoom(refusal)
            for paused in project.runs.filter(status=Status.PAUSED):
                pausing.leave(paused.pk)
            last = project.runs.aggregate(last=Max("number"))["last"] or 0
            run = Run.objects.create(project=project, number=last + 1, prompt=prompt, base=base)
            # The project before its files: who brings back a version takes them in this order.
            kept = Project.objects.filter(pk=project.pk, deleted=None).update(
                network=project.network, model=project.model, updated=timezone.now()
            )
            if not kept:
                raise BadRequest(_("This project was deleted meanwhile."))
            if base:
                branching.go_back(project, base)
            add_inputs(project, named(uploads))
            transaction.on_commit(partial(send, run))
    except IntegrityError:
        if not project.runs.exclude(status=Status.ENDED).exists():
            raise
        raise busy from None
    return run


def go_on(run: Run) -> None:
    """Let a paused run go on.

    Raises:
        DayUsedUp: what its owner may spend in a day is spent.
    """
    if refusal := spending.refusal(run.project.owner_id, own=run.project.is_own):
        raise DayUsedUp(refusal)
    pausing.go_on(run)


def give(project: Project, uploads: Sequence[Upload]) -> list[Input]:
    """Add files to a project for its next runs.

    Raises:
        NoRoom: the owner's files would take more than they may.
        BadRequest: a file can't be stored.
    """
    blobs = [upload.blob for upload in uploads]

    def look_for_room() -> None:
        if problem := quota.no_room(project.owner_id, blobs, own=project.is_own):
            raise NoRoom(problem)

    with transaction.atomic():
        look_for_room()
    store_all(uploads)
    with transaction.atomic():
        look_for_room()
        return add_inputs(project, named(uploads))


def store_all(uploads: Sequence[Upload]) -> None:
    """Store the bytes of files, in no transaction.

    Raises:
        BadRequest: a file can't be stored.
    """
    for upload in uploads:
        try:
            upload.commit()
        except OSError:
            name = {"name": clean_name(upload.name or "")}
            raise BadRequest(
                _("“%(name)s” could not be stored: the disk is full.") % name
            ) from None


def named(uploads: Sequence[Upload]) -> list[tuple[str, Blob]]:
    return [(clean_name(upload.name or ""), upload.blob) for upload in uploads]


def add_inputs(project: Project, files: Iterable[tuple[str, Blob]]) -> list[Input]:
    """Give stored bytes to a project, under names of their own; the same file given again is there
    already.
    """
    with transaction.atomic():
        # Nobody else takes the same names meanwhile.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        there = {file.name: file for file in project.inputs.all()}
        given = []
        for name, blob in files:
            if name not in there or there[name].digest != blob.digest:
                name = unique_name(name, set(there))
                there[name] = Input.objects.create(
                    project=project, name=name, digest=blob.digest, size=blob.size
                )
                expect_input(there[name])
            given.append(there[name])
        return given
