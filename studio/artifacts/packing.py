"""Pages made self-contained: asked for by the owner, packed in a sandbox, kept as a file."""

from __future__ import annotations

import logging
import shlex
from datetime import timedelta
from functools import partial
from pathlib import PurePosixPath

from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from agent.errors import FileChanged, SandboxUnavailable, ToolError
from agent.store import Blob
from studio.artifacts import tasks
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import PATH_LENGTH, Packing, Version
from studio.inspections import workbench
from studio.projects.quota import NoRoomLeft, own_store

logger = logging.getLogger(__name__)

TOOL_SECONDS = 60.0
# Longer than all its steps may take together; nobody renews it.
LEASE = timedelta(minutes=5)
RESEND = timedelta(seconds=60)
PAGE_BYTES = 200 << 20
NOTE_BYTES, NOTES, NOTE_CHARS = 16_000, 20, 300
OUT, NOTES_FILE = f"{workbench.RESULTS}/page.html", f"{workbench.RESULTS}/notes.txt"
MISSED = 1  # The tool's exit status when it could not put everything in.
# What the page has words for, if a packing fails.
REASONS = {NoRoomLeft: Packing.NO_ROOM, SandboxUnavailable: Packing.NO_SANDBOX}

bench = workbench.bench


def standalone_path(path: str) -> str | None:
    """Where the self-contained page goes: beside the page; None if that path is too long."""
    name = PurePosixPath(path)
    wanted = str(name.with_name(f"{name.stem.removesuffix('.standalone')}.standalone.html"))
    return wanted if len(wanted) <= PATH_LENGTH else None


def ask(version: Version) -> Packing:
    """Have a page packed; one that is being packed is asked for once."""
    with transaction.atomic():
        packing, made = Packing.objects.get_or_create(
            version=version, defaults={"lease_until": Now() + RESEND}
        )
        again = Packing.objects.filter(pk=packing.pk, state__in=[Packing.DONE, Packing.FAILED])
        if made or again.update(
            state=Packing.WAITING, result=None, notes="", lease_until=Now() + RESEND
        ):
            transaction.on_commit(partial(send, packing.pk))
    packing.refresh_from_db()
    return packing


def send(key: int) -> None:
    """Tell the inspectors; if the broker is away, the reaper does it again."""
    try:
        tasks.pack.delay(key)
    except OperationalError as error:
        logger.error("Packing %s waits until the broker is back: %s", key, error)


def recover() -> None:
    """Tell again of what waits, and give up what nobody works on any more."""
    left = Packing.objects.filter(state=Packing.RUNNING, lease_until__lt=Now())
    left.update(state=Packing.FAILED)
    waiting = Packing.objects.filter(state=Packing.WAITING, lease_until__lt=Now())
    for key in list(waiting.values_list("pk", flat=True)):
        if waiting.filter(pk=key).update(lease_until=Now() + RESEND):
            send(key)


def pack(key: int) -> None:
    """Pack a page that waits; whoever else has it, or had it, does it alone."""
    row = Packing.objects.filter(pk=key)
    if not row.filter(state=Packing.WAITING).update(
        state=Packing.RUNNING, lease_until=Now() + LEASE
    ):
        return
    version = Version.objects.select_related("artifact__project").get(packing=key)
    try:
        blob, notes = packed(version)
    except (SandboxUnavailable, ToolError, FileChanged, OSError) as error:
        logger.warning("Packing %s failed: %s", key, error)
        why = next((code for kind, code in REASONS.items() if isinstance(error, kind)), "")
        row.filter(state=Packing.RUNNING).update(state=Packing.FAILED, notes=why)
        return
    with transaction.atomic():
        if not row.filter(state=Packing.RUNNING).update(state=Packing.DONE, notes=notes):
            return
        path = standalone_path(version.artifact.path)
        assert path is not None
        made, _ = keep_version(version.artifact.project_id, path, blob, source=version)
        row.update(result=made)


def packed(version: Version) -> tuple[Blob, str]:
    """The self-contained page, and what could not be put into it, a line each.

    Raises:
        SandboxUnavailable, ToolError, FileChanged, OSError: there is none.
    """
    with bench() as sandbox:
        workbench.clean(sandbox)
        target = workbench.put(sandbox, version.artifact.path, version.digest)
        workbench.put_beside(sandbox, version.artifact)
        words = shlex.join(["/usr/local/bin/standalone", target, OUT])
        exited = workbench.carry_out(sandbox, f"command {words} > {NOTES_FILE} 2>&1", TOOL_SECONDS)
        if exited.timed_out or exited.code not in (0, MISSED):
            raise ToolError(f"standalone ended with exit status {exited.code}")
        notes = sandbox.read(NOTES_FILE, NOTE_BYTES) if exited.code == MISSED else b""
        own = own_store(version.artifact.project.owner_id)
        return own.put(sandbox.stream(OUT, PAGE_BYTES)), readable(notes)


def readable(notes: bytes) -> str:
    """The first lines of what the tool said, as something that can be shown and stored."""
    lines = notes.decode(errors="replace").splitlines()
    plain = ["".join(c if c.isprintable() else "�" for c in line) for line in lines]
    return "\n".join(line[:NOTE_CHARS] for line in plain[:NOTES] if line.strip())
