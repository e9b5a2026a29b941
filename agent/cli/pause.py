"""A run that has spent what it may asks the person at the terminal whether to go on."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence

from agent.budget import extended
from agent.events import Event, Reason, RunPaused, Shown, WorkspaceSaved
from agent.inputs import Input
from agent.limits import Limits
from agent.loop import Agent

FLAGS = {
    Reason.TURN_LIMIT: "--max-turns",
    Reason.TIME_LIMIT: "--timeout",
    Reason.TOKEN_LIMIT: "--max-tokens",
    Reason.COST_LIMIT: "--max-cost",
}


def through_pauses(
    begin: Callable[[Limits], Agent],
    prompt: str,
    inputs: Sequence[Input],
    limits: Limits,
    goes_on: Callable[[RunPaused], bool],
) -> Iterator[Shown]:
    """What happens in a run, beyond its pauses: each time `goes_on` it may take as much again."""
    events: list[Event] = []
    allowed = limits
    while True:
        saved = [event.digest for event in events if isinstance(event, WorkspaceSaved)]
        agent = begin(allowed)
        for item in agent.run(prompt, inputs, workspace=saved[-1] if saved else None,
                              earlier=tuple(events)):  # fmt: skip
            if isinstance(item, Event):
                events.append(item)
            yield item
        end = events[-1]
        if not isinstance(end, RunPaused) or not goes_on(end):
            return
        allowed = extended(limits, end)


def asked(paused: RunPaused) -> bool:
    """What the person says; without a terminal nobody is asked, and standard error says so."""
    return said_yes() if at_a_terminal() else told(paused)


def at_a_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def said_yes() -> bool:
    """Ask the person at the terminal whether to go on."""
    # Ctrl-C is an answer here, not a wish to stop what doesn't run.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input("Go on with as much again? [y/N] ").strip().lower() in {"y", "yes"}
    except (EOFError, KeyboardInterrupt):
        print()
        return False
    finally:
        signal.signal(signal.SIGINT, before)


def told(paused: RunPaused) -> bool:
    """Say how to let it go further another time; no."""
    flag = FLAGS.get(paused.reason)
    way = f"Give it more with {flag}." if flag else "Ask in other words."
    print(f"Paused: {paused.message} {way}", file=sys.stderr)
    return False
