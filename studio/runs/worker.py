"""Execute a run: whatever happens in it goes into the journal; it always ends or pauses there."""

from __future__ import annotations

import contextlib
import logging
import threading
import uuid
from collections.abc import Iterator, Sequence
from functools import partial

from django.conf import settings
from django.db.models import F

from agent.budget import extended
from agent.errors import ModelUnavailable
from agent.events import Event as Fact
from agent.events import (
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunResumed,
    RunStarted,
    ToolFinished,
    from_data,
)
from agent.inputs import Input
from agent.limits import Limits
from agent.loop import Agent, Said, Stop
from agent.models import Model
from agent.recipes import RecipeModel
from agent.sandbox import Sandbox
from studio.artifacts.models import Version
from studio.endpoints import choices
from studio.media import store
from studio.projects.quota import own_store
from studio.runs import branching, claims, journal, records, sandboxes, spending, steering
from studio.runs.guides import own_prompts
from studio.runs.history import history
from studio.runs.models import Run
from studio.runs.nudge import Hints

logger = logging.getLogger(__name__)


class Running:
    """The runs that this process executes now, so that it can end them when it must go."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: set[Stop] = set()
        self.closing = False

    @contextlib.contextmanager
    def stop(self) -> Iterator[Stop]:
        """A stop for one run; set at once if the process is about to go."""
        stop = Stop()
        with self._lock:
            self._stops.add(stop)
            if self.closing:
                _interrupt(stop)
        try:
            yield stop
        finally:
            with self._lock:
                self._stops.discard(stop)

    def close(self) -> None:
        """End all runs, and those that still begin, as interrupted."""
        with self._lock:
            self.closing = True
            for stop in self._stops:
                _interrupt(stop)


running = Running()


def _interrupt(stop: Stop) -> None:
    stop.reason = Reason.INTERRUPTED
    stop.set()


def execute(run_id: uuid.UUID) -> None:
    """Claim a queued run and see it through; a run that somebody else has or had is left alone."""
    if running.closing:
        return  # It stays queued: another worker, or the next one, gets it from the reaper.
    token = claims.claim(run_id)
    if token is None:
        logger.info("Run %s is not waiting any more", run_id)
        return
    logger.info("Run %s begins", run_id)
    with running.stop() as stop, claims.heartbeat(run_id, token, stop):
        try:
            _work(run_id, token, stop)
        except journal.ClaimLost as lost:
            logger.warning("Left: %s", lost)
        except ModelUnavailable as error:
            end(run_id, token, Reason.MODEL_UNAVAILABLE, str(error))
        except Exception:
            logger.exception("Run %s crashed", run_id)
            end(run_id, token, Reason.CRASHED, "The studio has a fault; see the worker's log.")
    logger.info("Run %s is over", run_id)


def end(run_id: uuid.UUID, token: uuid.UUID, reason: Reason, message: str) -> None:
    with contextlib.suppress(journal.ClaimLost):
        journal.append(run_id, RunEnded(reason=reason, message=message), claim=token)


def _work(run_id: uuid.UUID, token: uuid.UUID, stop: Stop) -> None:
    run = Run.objects.select_related("project").get(pk=run_id)
    told = earlier(run)
    chosen = model(run)
    agent = Agent(
        chosen,
        sandbox(run),
        own_store(run.project.owner_id),
        limits(told),
        stop,
        own_prompts(),
        watched=True,
    )
    facts = agent.run(
        run.prompt, inputs(run), history(run), workspace(run), told, outputs(run), said(run, chosen)
    )
    day, hints, seq = _Day(run.project.owner_id, stop), Hints(run_id), 0
    with contextlib.closing(facts):
        for fact in facts:
            if isinstance(fact, Fact):
                seq = journal.append(run_id, fact, claim=token)
                day.after(fact)
            else:
                hints.show(fact, seq)


class _Day:
    """Pauses a run when the day's budget is used up, between two turns: no command is cut off."""

    def __init__(self, user_id: int, stop: Stop) -> None:
        self._user_id, self._stop = user_id, stop
        self._called: set[str] = set()

    def after(self, fact: Fact) -> None:
        match fact:
            case ModelSpoke():
                self._called = {call.id for call in fact.calls}
            case ToolFinished():
                self._called.discard(fact.call)
            case RunStarted() | RunResumed():
                pass
            case _:
                return
        if not self._called and not self._stop.is_set() and spending.refusal(self._user_id):
            self._stop.reason = Reason.DAY_LIMIT
            self._stop.set()


def model(run: Run) -> Model:
    return records.recorded(choices.model(run.project.model), run.pk)


def said(run: Run, model: Model) -> Said:
    """What the user says meanwhile; recipes can't follow it, so it stays for the next request."""
    return tuple if isinstance(model, RecipeModel) else partial(steering.waiting, run.pk)


def sandbox(run: Run) -> Sandbox:
    return sandboxes.sandbox(str(run.pk), run.project.network)


def earlier(run: Run) -> list[Fact]:
    """What happened in the run before it paused, as far as the model needs to know."""
    rows = run.events.exclude(kind="tool.printed").values_list("kind", "data")
    return [from_data(kind, data) for kind, data in rows.iterator()]


def limits(earlier: Sequence[Fact]) -> Limits:
    """What the operator allows; with each pause that somebody ends, as much again."""
    once = Limits(
        turns=settings.RUN_TURNS,
        seconds=settings.RUN_SECONDS,
        tokens=settings.RUN_TOKENS,
        cost=settings.RUN_COST,
    )
    pauses = [fact for fact in earlier if isinstance(fact, RunPaused)]
    return extended(once, pauses[-1]) if pauses else once


def inputs(run: Run) -> list[Input]:
    """All files of the project: a follow-up may ask about an earlier one."""
    files = run.project.inputs.all()
    return [Input(file.name, partial(store().open, file.digest)) for file in files]


def outputs(run: Run) -> list[Input]:
    """The files that no workspace need have: without one all, else those the owner brought."""
    versions = Version.objects.filter(artifact__project=run.project)
    newest = versions.filter(artifact__latest=F("pk"), artifact__removed=False)
    if workspace(run):
        newest = newest.filter(run=None)
    files = newest.values_list("artifact__path", "digest")
    return [Input(path, partial(store().open, digest)) for path, digest in files]


def workspace(run: Run) -> str | None:
    """The workspace as this run or the latest one that could keep it left it."""
    of_its_files = run.project.runs.filter(number__lte=run.number, number__gte=branching.root(run))
    kept = of_its_files.exclude(workspace="")
    return kept.order_by("-number").values_list("workspace", flat=True).first()
