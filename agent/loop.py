"""The loop: ask the model, record what it said, do what it asks, until it submits."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from agent.budget import Budget
from agent.calls import Calls, Steps
from agent.capture import Capture
from agent.checks import Checks
from agent.context import Context
from agent.conversation import (
    NUDGE,
    asked,
    chosen,
    numbered,
    opening,
    retold,
    steered,
    system_prompt,
)
from agent.errors import (
    ContextOverflow,
    LimitReached,
    ModelUnavailable,
    SandboxUnavailable,
    ToolError,
)
from agent.events import (
    PAUSES,
    Event,
    ModelSpoke,
    Reason,
    Resources,
    RunEnded,
    RunPaused,
    RunResumed,
    RunStarted,
    SandboxReady,
    UserSteered,
    WorkspaceSaved,
)
from agent.expected import expected
from agent.glimpses import Glimpses
from agent.hints import Hint, Waiting
from agent.inputs import Exchange, Input
from agent.limits import Limits
from agent.models import Message, Model, Reply
from agent.prompts import Prompts, built_in
from agent.sandbox import INPUT, OUTPUT, Sandbox
from agent.store import ArtifactStore, DirectoryStore
from agent.tools.bash import bash_tool
from agent.tools.editor import editor_tool
from agent.tools.submit import submit_tool

NUDGES = 2
HINT_CHARS = 20_000
GOES_ON = (
    "[The work was paused here and goes on now. The files in /workspace are as they were; the "
    "shell is a new one, and /tmp is empty.]"
)
STOPS = {Reason.DAY_LIMIT: "What may be spent in a day is used up."}


Said = Callable[[], Sequence[str]]


class Stop(threading.Event):
    """Asks a run to end or pause, from anywhere; `reason` is what its last event will say."""

    reason = Reason.STOPPED


class Agent:
    """A model with a computer; what it makes goes into `store`, by default a folder `blobs`.

    If it is `watched`, glimpses of what is being made go there too, which nothing else refers to.
    """

    def __init__(
        self,
        model: Model,
        sandbox: Sandbox,
        store: ArtifactStore | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
        prompts: Prompts | None = None,
        *,
        watched: bool = False,
    ) -> None:
        self.model = model
        self.sandbox = sandbox
        self.store = store or DirectoryStore(Path("blobs"))
        self.limits = limits or Limits()
        self.stop = stop or Stop()
        self.prompts = prompts or built_in()
        self.watched = watched

    def run(
        self,
        prompt: str,
        inputs: Sequence[Input] = (),
        history: Sequence[Exchange] = (),
        workspace: str | None = None,
        earlier: Sequence[Event] = (),
        outputs: Sequence[Input] = (),
        said: Said = tuple,
    ) -> Steps[None]:
        """Do what `prompt` asks; yield what happens, `RunEnded` or `RunPaused` last.

        `workspace` is the digest of an earlier run's `WorkspaceSaved` to go on from. `outputs` are
        files that belong into the output folder as the user wants them, whatever is there in that
        workspace; no event tells of them, the model is told. `earlier` are the events of this
        very run, the last of them `RunPaused`: it goes on from there, as far as `limits` now
        allow for the whole. `said` is asked before each turn, and before the run is over, for what
        the user has said meanwhile: each text is told by a `UserSteered`, which must be kept before
        the next event is asked for, and told to the model. Closing the generator early removes the
        sandbox.
        """
        names = tuple(item.name for item in inputs)
        run = _Run(self, prompt, earlier, said)
        system = system_prompt(
            self.limits,
            self.sandbox.confinement,
            sees=self.model.sees,
            prompts=self.prompts,
            asked=asked(prompt, names, history),
        )
        if earlier:
            yield RunResumed(model=self.model.name)
        else:
            yield RunStarted(prompt=prompt, model=self.model.name, inputs=names, system=system)
        try:
            with self.sandbox:
                yield SandboxReady(
                    sandbox=self.sandbox.name, image=self.sandbox.image, seconds=run.waited()
                )
                run.prepare(inputs, workspace, outputs)
                told = opening(system, prompt, names, history)
                context = Context(told, self.model.window, run.calls.schemas)
                if outputs:
                    context.remark(chosen([item.name for item in outputs]))
                if earlier:
                    context.add(*retold(earlier))
                    context.remark(GOES_ON)
                yield from run.work(context)
                yield from run.keep()
        except SandboxUnavailable as error:
            run.end(Reason.SANDBOX_UNAVAILABLE, str(error))
        yield run.ended()


class _Run:
    """One run: its budget, its turns, and how it ends."""

    def __init__(self, agent: Agent, prompt: str, earlier: Iterable[Event], said: Said) -> None:
        self.said = said
        self.model, self.sandbox, self.store = agent.model, agent.sandbox, agent.store
        self.limits, self.stop = agent.limits, agent.stop
        self.capture = Capture(self.sandbox, self.store, self.limits)
        self.began = time.monotonic()
        paused = [event for event in earlier if isinstance(event, RunPaused)]
        self.budget = Budget(self.limits, paused[-1] if paused else None)
        self.silent = 0
        self.resources = Resources()
        self.reason: Reason | None = None
        self.message = ""
        self.kept = False
        self.workspace: str | None = None
        checks = Checks(self.sandbox, self.capture, expected(prompt), self.time_to_check)
        tools = [
            bash_tool(
                self.sandbox, self.limits, lambda: self.budget.seconds_left, sees=self.model.sees
            ),
            editor_tool(self.sandbox, self.limits, sees=self.model.sees),
            submit_tool(lambda: bool(self.capture.files), checks.refusal),
        ]
        glimpses = Glimpses(self.sandbox, self.store if agent.watched else None, self.capture)
        self.calls = Calls(tools, self.sandbox, self.capture, self.check, glimpses)

    def work(self, context: Context) -> Steps[None]:
        """Turn after turn, until a submit, a limit, the user, or a model that says no more."""
        try:
            while (yield from self.listen(context)) or self.calls.submitted is None:
                self.check()
                self.budget.check_turn()
                reply = yield from self.ask(context)
                context.add(reply.message())
                if reply.calls:
                    self.silent = 0
                    context.add(*(yield from self.calls.run(reply.calls, cut=reply.cut)))
                else:
                    context.add(self.nudge())
                if told := self.budget.warning():
                    context.remark(told)
            self.end(Reason.SUBMITTED, "")
        except LimitReached as limit:
            self.end(Reason(limit.reason), str(limit))
        except ModelUnavailable as error:
            self.end(Reason.MODEL_UNAVAILABLE, str(error))

    def listen(self, context: Context) -> Steps[bool]:
        """Tell the model what the user has said; whether there was anything, so that it goes on."""
        texts = self.said()
        for text in texts:
            yield UserSteered(text=text)
            context.add(steered(text))
            self.silent, self.calls.submitted = 0, None
        return bool(texts)

    def check(self) -> None:
        """Raise when the run must not go on."""
        if self.stop.is_set():
            raise LimitReached(
                self.stop.reason, STOPS.get(self.stop.reason, "The run was stopped.")
            )
        self.budget.check()

    def time_to_check(self) -> float:
        """Seconds; none in the last turn, in which nothing can be mended any more."""
        return self.budget.seconds_left if self.budget.turns < self.limits.turns else 0.0

    def ask(self, context: Context) -> Steps[Reply]:
        """One turn of the model."""
        began = time.monotonic()
        self.budget.turns += 1
        while True:
            yield from context.make_room(self.hear)
            try:
                reply = yield from self.hear(context.messages)
                break
            except ContextOverflow as refusal:
                context.overflowed(refusal)
        context.measured(reply.usage)
        yield ModelSpoke(
            turn=self.budget.turns,
            text=reply.text,
            reasoning=reply.reasoning,
            calls=reply.calls,
            extra=reply.extra,
            cut=reply.cut,
            usage=reply.usage,
            seconds=round(time.monotonic() - began, 3),
        )
        return reply

    def hear(self, messages: Sequence[Message]) -> Steps[Reply]:
        """What the model says to these messages; what it takes is spent."""
        typed, thought = "", ""
        with contextlib.closing(self.model.reply(messages, self.calls.schemas)) as pieces:
            for piece in pieces:
                if isinstance(piece, Reply):
                    self.budget.spend(piece.usage)
                    return numbered(piece, self.budget.turns)
                if isinstance(piece, Waiting):
                    typed = thought = ""  # An answer that broke off is given anew.
                    yield piece
                elif piece.text:
                    typed = (typed + piece.text)[-HINT_CHARS:]
                    yield Hint(typed)
                elif piece.reasoning:
                    thought = (thought + piece.reasoning)[-HINT_CHARS:]
                    yield Hint(thought, thinking=True)
                yield from self.capture.take(self.sandbox.notices())
                self.check()
        raise ModelUnavailable("The model ended its answer without a reply.")

    def nudge(self) -> Message:
        """What a model is told that calls no tool; raises when it was told often enough."""
        if self.silent == NUDGES:
            raise LimitReached(Reason.NO_RESULT, "The model stopped without submitting.")
        self.silent += 1
        return Message("user", NUDGE)

    def prepare(
        self, inputs: Sequence[Input], workspace: str | None, outputs: Sequence[Input]
    ) -> None:
        """Fill the workspace: what an earlier run left, and the user's files."""
        self.workspace = workspace
        try:
            if workspace:
                self.sandbox.restore(self.store.open(workspace))
            for item in outputs:
                # A folder that the model left under its name must not keep a run from beginning.
                with contextlib.suppress(ToolError):
                    self.sandbox.write(f"{OUTPUT}/{item.name}", item.chunks())
            if workspace or outputs:
                self.capture.adopt(self.sandbox.settle())
            for item in inputs:
                self.sandbox.write(f"{INPUT}/{item.name}", item.chunks(), read_only=True)
        except (ToolError, OSError) as error:
            raise SandboxUnavailable(f"The workspace could not be prepared: {error}") from error

    def keep(self) -> Steps[None]:
        """Store what is in the output folder by now, and the workspace for a follow-up."""
        try:
            yield from self.capture.take(self.sandbox.settle())
            self.resources = self.sandbox.usage()
            saved = self.sandbox.save(self.limits.workspace_bytes)
            blob = self.store.put(saved, instead_of=self.workspace)
            yield WorkspaceSaved(digest=blob.digest, size=blob.size)
            self.kept = True
        except LimitReached as limit:
            self.end(Reason(limit.reason), str(limit))
        except (ToolError, OSError) as error:
            self.message = f"{self.message} The workspace could not be kept: {error}".strip()

    def waited(self) -> float:
        """Seconds since this was asked for."""
        return round(time.monotonic() - self.began, 3)

    def end(self, reason: Reason, message: str) -> None:
        self.reason, self.message = reason, message

    def ended(self) -> RunEnded | RunPaused:
        reason, budget = self.reason or Reason.CRASHED, self.budget
        # Without its workspace a run could not go on.
        if reason in PAUSES and self.kept:
            return RunPaused(
                reason=reason,
                message=self.message,
                turns=budget.turns,
                usage=budget.usage,
                resources=self.resources,
                seconds=budget.seconds,
            )
        return RunEnded(
            reason=reason,
            message=self.message,
            summary=self.calls.submitted or "",
            turns=budget.turns,
            usage=budget.usage,
            resources=self.resources,
            seconds=budget.seconds,
        )
