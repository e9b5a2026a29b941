"""The loop: ask the model, record what it said, do what it asks, until it submits."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from agent.capture import Capture
from agent.conversation import NUDGE, numbered, opening, warning
from agent.errors import LimitReached, ModelUnavailable, SandboxUnavailable, ToolError
from agent.events import (
    Event,
    Hint,
    ModelSpoke,
    Reason,
    Resources,
    RunEnded,
    RunStarted,
    SandboxReady,
    ToolCall,
    ToolFinished,
    ToolPrinted,
    ToolStarted,
    Usage,
    WorkspaceSaved,
)
from agent.inputs import Exchange, Input
from agent.limits import Limits
from agent.models import Message, Model, Reply
from agent.sandbox import INPUT, Sandbox
from agent.store import ArtifactStore, DirectoryStore
from agent.tools import Result, Tool
from agent.tools.bash import bash_tool
from agent.tools.editor import editor_tool
from agent.tools.submit import submit_tool

T = TypeVar("T")
Steps = Generator[Event | Hint, None, T]

NUDGES = 2
PRINT_SECONDS, PRINT_CHARS, PRINTED_CHARS = 0.2, 8_000, 256_000
ARGUMENT_CHARS = 12 << 20


class Stop(threading.Event):
    """Asks a run to end, from another thread; `reason` is what `run.ended` will say."""

    reason = Reason.STOPPED


class Agent:
    """A model with a computer; what it makes goes into `store`, by default a folder `blobs`."""

    def __init__(
        self,
        model: Model,
        sandbox: Sandbox,
        store: ArtifactStore | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.model = model
        self.sandbox = sandbox
        self.store = store or DirectoryStore(Path("blobs"))
        self.limits = limits or Limits()
        self.stop = stop or Stop()

    def run(
        self,
        prompt: str,
        inputs: Sequence[Input] = (),
        history: Sequence[Exchange] = (),
        workspace: str | None = None,
    ) -> Steps[None]:
        """Do what `prompt` asks; yield what happens, `RunEnded` last.

        `workspace` is the digest of an earlier run's `WorkspaceSaved` to go on from. Closing the
        generator early removes the sandbox.
        """
        run = _Run(self)
        names = tuple(item.name for item in inputs)
        yield RunStarted(prompt=prompt, model=self.model.name, inputs=names)
        try:
            with self.sandbox:
                yield SandboxReady(
                    sandbox=self.sandbox.name, image=self.sandbox.image, seconds=run.seconds()
                )
                run.prepare(inputs, workspace)
                told = opening(prompt, names, history, self.limits, self.sandbox.confinement)
                yield from run.work(told)
                yield from run.keep()
        except SandboxUnavailable as error:
            run.end(Reason.SANDBOX_UNAVAILABLE, str(error))
        yield run.ended()


class _Run:
    """One run: its clock, its turns, and how it ends."""

    def __init__(self, agent: Agent) -> None:
        self.model, self.sandbox, self.store = agent.model, agent.sandbox, agent.store
        self.limits, self.stop = agent.limits, agent.stop
        self.capture = Capture(self.sandbox, self.store, self.limits)
        self.began = time.monotonic()
        self.turns, self.silent, self.usage = 0, 0, Usage()
        self.resources = Resources()
        self.reason: Reason | None = None
        self.message = self.summary = ""
        tools = [
            bash_tool(self.sandbox, self.limits, self.seconds_left),
            editor_tool(self.sandbox, self.limits),
            submit_tool(lambda: bool(self.capture.files)),
        ]
        self.tools = {tool.name: tool for tool in tools}

    def work(self, messages: list[Message]) -> Steps[None]:
        """Turn after turn, until a submit, a limit, the user, or a model that says no more."""
        try:
            while self.reason is None:
                self.check()
                reply = yield from self.ask(messages)
                messages.append(Message("assistant", reply.text, calls=reply.calls))
                if reply.calls:
                    self.silent = 0
                    messages += yield from self.do(reply.calls)
                else:
                    messages.append(self.nudge())
                if told := warning(self.limits.turns - self.turns, self.seconds_left()):
                    last = messages[-1]
                    messages[-1] = replace(last, text=f"{last.text}\n\n{told}")
        except LimitReached as limit:
            self.end(Reason(limit.reason), str(limit))
        except ModelUnavailable as error:
            self.end(Reason.MODEL_UNAVAILABLE, str(error))

    def check(self, *, turn_begun: bool = False) -> None:
        """Raise when the run must not go on."""
        if self.stop.is_set():
            raise LimitReached(self.stop.reason, "The run was stopped.")
        if self.seconds_left() <= 0:
            minutes = self.limits.seconds / 60
            raise LimitReached(Reason.TIME_LIMIT, f"The {minutes:g} minutes are used up.")
        if self.turns >= self.limits.turns and not turn_begun:
            raise LimitReached(Reason.TURN_LIMIT, f"All {self.limits.turns} turns are used up.")

    def ask(self, messages: Sequence[Message]) -> Steps[Reply]:
        """One turn of the model."""
        began, typed = time.monotonic(), ""
        self.turns += 1
        schemas = [tool.schema for tool in self.tools.values()]
        with contextlib.closing(self.model.reply(messages, schemas)) as pieces:
            for piece in pieces:
                if isinstance(piece, Reply):
                    reply = numbered(piece, self.turns)
                    break
                if piece.text:
                    typed += piece.text
                    yield Hint(typed)
                yield from self.capture.take(self.sandbox.notices())
                self.check(turn_begun=True)
            else:
                raise ModelUnavailable("The model ended its answer without a reply.")
        self.usage = Usage(
            self.usage.input + reply.usage.input,
            self.usage.output + reply.usage.output,
            self.usage.cached + reply.usage.cached,
        )
        yield ModelSpoke(
            turn=self.turns,
            text=reply.text,
            reasoning=reply.reasoning,
            calls=reply.calls,
            usage=reply.usage,
            seconds=round(time.monotonic() - began, 3),
        )
        return reply

    def do(self, calls: Sequence[ToolCall]) -> Steps[list[Message]]:
        """Run the calls, submit last; their answers in the order of the calls."""
        answers: dict[str, Message] = {}
        for call in sorted(calls, key=lambda call: call.name == "submit"):
            answers[call.id] = yield from self.answer(call)
        return [answers[call.id] for call in calls]

    def answer(self, call: ToolCall) -> Steps[Message]:
        """Run one call; the message that answers it."""
        began = time.monotonic()
        arguments, problem = _arguments(call)
        yield ToolStarted(call=call.id, tool=call.name, arguments=arguments)
        try:
            if problem:
                raise ToolError(problem)
            if call.name == "submit":
                yield from self.capture.take(self.sandbox.settle())
            result = yield from self.watch(call.id, self.tool(call.name), arguments)
        except ToolError as error:
            result = Result(str(error), failed=True)
        yield from self.capture.take(self.sandbox.notices())
        yield ToolFinished(
            call=call.id,
            output=result.text,
            failed=result.failed,
            exit_code=result.exit_code,
            seconds=round(time.monotonic() - began, 3),
        )
        if result.final:
            self.summary = result.text
            self.end(Reason.SUBMITTED, "")
        return Message("tool", result.text, call=call.id, images=result.images)

    def tool(self, name: str) -> Tool:
        if name not in self.tools:
            raise ToolError(f"There is no tool {name[:80]!r}. There are: {', '.join(self.tools)}.")
        return self.tools[name]

    def watch(self, call: str, tool: Tool, arguments: dict[str, Any]) -> Steps[Result]:
        """Pass on what a tool prints, in pieces worth a row each, and files as they settle."""
        waiting, told, said_at = "", 0, time.monotonic()
        with contextlib.closing(tool.call(arguments)) as items:
            for item in items:
                done = isinstance(item, Result)
                if isinstance(item, str) and told < PRINTED_CHARS:
                    waiting += item[: PRINTED_CHARS - told]
                    told += len(item)
                    waiting += "\n[… more output is not shown …]" if told >= PRINTED_CHARS else ""
                now = time.monotonic()
                if waiting and (
                    done or len(waiting) >= PRINT_CHARS or now - said_at >= PRINT_SECONDS
                ):
                    yield ToolPrinted(call=call, text=waiting)
                    waiting, said_at = "", now
                if isinstance(item, Result):
                    return item
                yield from self.capture.take(self.sandbox.notices())
                self.check(turn_begun=True)
        raise ToolError(f"{tool.name} ended without a result.")

    def nudge(self) -> Message:
        """What a model is told that calls no tool; raises when it was told often enough."""
        if self.silent == NUDGES:
            raise LimitReached(Reason.NO_RESULT, "The model stopped without submitting.")
        self.silent += 1
        return Message("user", NUDGE)

    def prepare(self, inputs: Sequence[Input], workspace: str | None) -> None:
        """Fill the workspace: what an earlier run left, and the user's files."""
        try:
            if workspace:
                self.sandbox.restore(self.store.open(workspace))
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
            blob = self.store.put(self.sandbox.save(self.limits.workspace_bytes))
            yield WorkspaceSaved(digest=blob.digest, size=blob.size)
        except LimitReached as limit:
            self.end(Reason(limit.reason), str(limit))
        except (ToolError, OSError) as error:
            self.message = f"{self.message} The workspace could not be kept: {error}".strip()

    def seconds(self) -> float:
        return round(time.monotonic() - self.began, 3)

    def seconds_left(self) -> float:
        return self.limits.seconds - self.seconds()

    def end(self, reason: Reason, message: str) -> None:
        self.reason, self.message = reason, message

    def ended(self) -> RunEnded:
        return RunEnded(
            reason=self.reason or Reason.CRASHED,
            message=self.message,
            summary=self.summary,
            turns=self.turns,
            usage=self.usage,
            resources=self.resources,
            seconds=self.seconds(),
        )


def _arguments(call: ToolCall) -> tuple[dict[str, Any], str]:
    """A call's arguments, and what is wrong with them."""
    if len(call.arguments) > ARGUMENT_CHARS:
        return {}, "The arguments are over 12 MB. Write large files in several steps."
    try:
        arguments = json.loads(call.arguments or "{}", strict=False)
        # Half a surrogate pair can be written in JSON, and nowhere else.
        json.dumps(arguments, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except (ValueError, RecursionError) as error:
        return {"text": call.arguments[:500]}, f"The arguments are not valid JSON: {error}"
    if not isinstance(arguments, dict):
        return {"text": call.arguments[:500]}, "The arguments must be a JSON object."
    return arguments, ""
