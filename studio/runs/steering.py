"""What a user says while a run goes on: it waits here until the model is told, or is too late."""

from __future__ import annotations

import uuid
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from studio.projects.requests import BadRequest, Busy
from studio.runs.models import Run, Word
from studio.runs.nudge import nudge

CHARS = 4_000
MOST = 10


class Over(Busy):
    """The run has ended meanwhile; what was said is still with whoever said it."""


def say(run: Run, text: str) -> None:
    """Keep a word for the model's next turn.

    Raises:
        Over: the run has ended.
        BadRequest: it is empty or too long, or too many others wait already.
    """
    text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not text:
        raise BadRequest(_("Say what should be different."))
    if len(text) > CHARS:
        raise BadRequest(
            _("This has %(count)d characters; at most %(most)d can be said while it works.")
            % {"count": len(text), "most": CHARS}
        )
    with transaction.atomic():
        # The run does not end, and nobody else says anything, before this is written.
        held = Run.objects.select_for_update().get(pk=run.pk)
        if held.over:
            raise Over(_("This has ended meanwhile. Send it as your next request."))
        if held.words.count() >= MOST:
            raise BadRequest(_("Much is waiting to be read already. Wait for the next turn."))
        held.words.create(text=text)
        transaction.on_commit(partial(nudge, run.pk))


def waiting(run_id: uuid.UUID) -> list[str]:
    """What the model has not been told yet, oldest first."""
    return list(Word.objects.filter(run=run_id).values_list("text", flat=True))


def take_back(run: Run, key: int) -> None:
    """Forget a word that waits; whoever is told of it already has been told."""
    if run.words.filter(pk=key).delete()[0]:
        transaction.on_commit(partial(nudge, run.pk))
