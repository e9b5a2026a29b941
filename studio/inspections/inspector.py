"""Look into waiting files, some of one project at a time: in one sandbox, unless one spoils it."""

from __future__ import annotations

import json
import logging
import shlex
import threading
import time

from agent.errors import SandboxUnavailable, ToolError
from agent.sandbox import Exited, Sandbox
from studio.inspections import claims, outcome, results, tasks, workbench
from studio.inspections.asked import asked
from studio.inspections.claims import Claim
from studio.inspections.models import Inspection, Preview, State
from studio.inspections.outcome import GivenUp
from studio.inspections.queue import REFERRING
from studio.media import store

logger = logging.getLogger(__name__)

TOOL_SECONDS, MARGIN_SECONDS, RENEW_SECONDS = 90, 15, 5.0
# A project's turn, so that others have theirs soon. It is well within the hour that the reaper
# leaves a sandbox of no run alone.
TURN_FILES, TURN_SECONDS = 20, 30.0
REPORT = f"{workbench.RESULTS}/report.json"

# Set when the process is about to go: what was begun is left to others.
closing = threading.Event()
bench = workbench.bench


class Spoilt(Exception):
    """Nothing can be known of this file, and the sandbox may be of no use to others any more."""

    def __init__(self, why: GivenUp) -> None:
        super().__init__(why.text)
        self.why = why


class Left(Exception):
    """Nobody wants to know any more, or this process must go."""


def take_turn() -> None:
    """Look into files of the project whose turn it is; if more wait then, somebody goes on.

    Nobody else's message has to wait until all of them are done.
    """
    project_id = None if closing.is_set() else claims.next_project()
    if project_id is None:
        return
    try:
        with bench() as sandbox:
            _work_through(sandbox, project_id)
    except SandboxUnavailable as error:
        # What waits is told of again, and by then there may be an engine.
        logger.warning("Files of %s can't be inspected: %s", project_id, error)
        return
    if claims.next_project() is not None:
        tasks.send()


def _work_through(sandbox: Sandbox, project_id: str) -> None:
    """One file after the other, until there is none, the turn is over or the sandbox spoilt."""
    until = time.monotonic() + TURN_SECONDS
    for _ in range(TURN_FILES):
        claim = None if closing.is_set() else claims.claim_next(project_id)
        if claim is None or not look_into(sandbox, claim) or time.monotonic() > until:
            return


def look_into(sandbox: Sandbox, claim: Claim) -> bool:
    """Inspect one file and keep what is found; whether the sandbox is good for another one."""
    try:
        return _examine(sandbox, claim)
    except Spoilt as spoilt:
        logger.info("Inspection %s is given up: %s", claim.inspection, spoilt)
        outcome.give_up(claim, spoilt.why)
    except (SandboxUnavailable, OSError) as error:
        logger.warning("Inspection %s broke off: %s", claim.inspection, error)
        if not claims.put_back(claim, tried=True):
            outcome.give_up(claim, outcome.BROKEN)
    except Left:
        claims.put_back(claim, tried=False)
    return False


def _examine(sandbox: Sandbox, claim: Claim) -> bool:
    row = claims.held(claim).select_related("version__artifact", "version__run", "input").first()
    if row is None:
        raise Left
    if _size(row) > workbench.room(sandbox):
        outcome.give_up(claim, outcome.TOO_LARGE)
        return True
    try:
        target = _lay_out(sandbox, row)
        unharmed = _carry_out(sandbox, claim, _command(target, row))
        report = results.report(sandbox.read(REPORT, results.BYTES + 1))
    except (ToolError, FileNotFoundError, results.Refused) as error:
        logger.warning("Inspection %s: %s", claim.inspection, error)
        raise Spoilt(outcome.BROKEN) from error
    made = (_kept(sandbox, drawn) for drawn in results.distinct(report.previews))
    previews = [preview for preview in made if preview]
    outcome.keep(claim, State.DONE, report.fields(), previews, report.text)
    return unharmed


def _size(row: Inspection) -> int:
    thing = row.version or row.input
    return thing.size if thing else 0


def _lay_out(sandbox: Sandbox, row: Inspection) -> str:
    """Put the file, and what it may refer to, into a clean sandbox; return its path there."""
    workbench.clean(sandbox)
    if row.version is None:
        assert row.input is not None
        return workbench.put(sandbox, row.input.name, row.input.digest)
    artifact = row.version.artifact
    target = workbench.put(sandbox, artifact.path, row.version.digest)
    if artifact.kind in REFERRING:
        workbench.put_beside(sandbox, artifact)
    return target


def _command(target: str, row: Inspection) -> str:
    words = ["/usr/local/bin/inspect", target, "--into", workbench.RESULTS]
    words += ["--seconds", str(TOOL_SECONDS)]
    if row.version and (wanted := asked(row.version)):
        words += ["--asked", json.dumps(wanted)]
    return f"command {shlex.join(words)} > {REPORT}"


def _carry_out(sandbox: Sandbox, claim: Claim, command: str) -> bool:
    """Whether the sandbox met none of its limits; raises Spoilt when the command does not come to
    its end, and Left when it need not.
    """
    exited: Exited | None = None
    renewed = time.monotonic()
    # An error that leads out of here closes the iterator, which ends the command.
    for item in sandbox.run(command, TOOL_SECONDS + MARGIN_SECONDS):
        if isinstance(item, Exited):
            exited = item
        elif closing.is_set():
            raise Left
        elif time.monotonic() > renewed + RENEW_SECONDS:
            if not claims.renew(claim):
                raise Left
            renewed = time.monotonic()
    assert exited is not None
    if exited.timed_out:
        raise Spoilt(outcome.TOO_SLOW)
    if exited.code:
        raise Spoilt(outcome.TOO_MUCH_MEMORY if exited.reached else outcome.BROKEN)
    # What was found before a part of it was ended for lack of memory holds.
    return not exited.reached


def _kept(sandbox: Sandbox, drawn: results.Drawn) -> Preview | None:
    """The preview with its bytes in the store; one that is not what it should be is left out."""
    try:
        data = sandbox.read(f"{workbench.RESULTS}/{drawn.file}", results.LIMITS[drawn.role] + 1)
        blob = store().put([results.preview(drawn.role, data)])
    except (ToolError, results.Refused) as error:
        logger.warning("A preview is left out: %s", error)
        return None
    return Preview(
        role=drawn.role,
        digest=blob.digest,
        size=blob.size,
        width=drawn.width,
        height=drawn.height,
        frames=drawn.frames,
    )
