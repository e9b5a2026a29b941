"""The calls of a model's turn: each is run once, in order, and answered."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from agent.capture import Capture
from agent.errors import LimitReached, ToolError, WrongCall
from agent.events import Reason, Shown, ToolCall, ToolFinished, ToolPrinted, ToolStarted
from agent.glimpses import Glimpses
from agent.models import Message
from agent.rendering import Reader
from agent.repetition import Repetition
from agent.sandbox import Sandbox
from agent.tools import Result, Tool

T = TypeVar("T")
Steps = Generator[Shown, None, T]

PRINT_SECONDS, PRINT_CHARS, PRINTED_CHARS = 0.2, 8_000, 256_000
ARGUMENT_CHARS = 12 << 20
WRONG_TURNS = 8
CUT = (
    "Not run: your answer ended at the most you can write in one turn, so this call may be "
    "incomplete. Write less at once: large files in several steps."
)


class Calls:
    """Runs calls with `tools` in `sandbox`; `check` raises when the run must not go on."""

    def __init__(
        self,
        tools: Sequence[Tool],
        sandbox: Sandbox,
        capture: Capture,
        check: Callable[[], None],
        glimpses: Glimpses,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._sandbox = sandbox
        self._capture = capture
        self._check = check
        self._glimpses = glimpses
        self._repetition = Repetition()
        self._right, self._wrong_turns = False, 0
        self.submitted: str | None = None

    @property
    def schemas(self) -> list[Any]:
        return [tool.schema for tool in self._tools.values()]

    def run(self, calls: Sequence[ToolCall], *, cut: bool) -> Steps[list[Message]]:
        """Run the calls, submit last; their answers in the order of the calls.

        Of an answer that was `cut` the last call is not run.
        """
        answers: dict[str, Message] = {}
        self._right = False
        for call in sorted(calls, key=lambda call: call.name == "submit"):
            problem = CUT if cut and call is calls[-1] else ""
            answers[call.id] = yield from self._answer(call, problem)
        self._wrong_turns = 0 if self._right else self._wrong_turns + 1
        if self._wrong_turns >= WRONG_TURNS:
            raise LimitReached(
                Reason.REPEATING, f"All calls of {WRONG_TURNS} turns in a row were wrong."
            )
        return [answers[call.id] for call in calls]

    def _answer(self, call: ToolCall, problem: str) -> Steps[Message]:
        """Run one call; the message that answers it."""
        began = time.monotonic()
        arguments, wrong = _arguments(call)
        yield ToolStarted(call=call.id, tool=call.name, arguments=arguments)
        try:
            if problem or wrong:
                raise WrongCall(problem or wrong)
            if call.name == "submit":
                yield from self._capture.take(self._sandbox.settle())
            result = yield from self._watch(call.id, self._tool(call.name), arguments)
            self._right = True
        except ToolError as error:
            result = Result(str(error), failed=True)
            self._right = self._right or not isinstance(error, WrongCall)
        yield from self._capture.take(self._sandbox.notices())
        if result.final:
            self.submitted = result.text
        elif remark := self._repetition.remark(call, result.text):
            result = replace(result, text=f"{result.text}\n{remark}")
        yield ToolFinished(
            call=call.id,
            output=result.text,
            failed=result.failed,
            exit_code=result.exit_code,
            seconds=round(time.monotonic() - began, 3),
        )
        self._repetition.check()
        return Message("tool", result.text, call=call.id, images=result.images)

    def _tool(self, name: str) -> Tool:
        if name not in self._tools:
            known = ", ".join(self._tools)
            raise WrongCall(f"There is no tool {name[:80]!r}. There are: {known}.")
        return self._tools[name]

    def _watch(self, call: str, tool: Tool, arguments: dict[str, Any]) -> Steps[Result]:
        """Pass on what a tool prints, in pieces worth a row each, and files as they settle; what
        it prints of its progress, and what can be seen of its work.
        """
        waiting, told, said_at, reader = "", 0, time.monotonic(), Reader()
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
                if isinstance(item, str) and (come := reader.read(item)):
                    yield come
                yield from self._capture.take(self._sandbox.notices())
                yield from self._glimpses.look()
                self._check()
        raise ToolError(f"{tool.name} ended without a result.")


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
