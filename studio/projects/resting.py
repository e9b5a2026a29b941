"""What the owner may change between two requests only: a run would not know of it, or undo it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from studio.projects.models import Project
from studio.projects.requests import Busy
from studio.runs.models import Status


def at_rest(project: Project) -> None:
    """Hold a project's row until the transaction ends, so that no run begins meanwhile.

    Raises:
        Busy: a run of it has not ended; the message says what to do.
    """
    # Whoever begins a run updates this row in the same transaction.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    open_run = project.runs.exclude(status=Status.ENDED).first()
    if open_run is None:
        return
    if open_run.active:
        raise Busy(_("A request is being worked on. Wait for it or stop it, then try again."))
    raise Busy(_("The last request has paused. Let it go on or end it, then try again."))
