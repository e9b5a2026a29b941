"""A turn of the loop: what it costs beside other loops', and whether that grows with the run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from benchmarks import loops
from benchmarks.measure import (
    ROUNDS,
    Comparison,
    Count,
    Measure,
    Target,
    at_least,
    at_most,
    in_turn,
)
from benchmarks.peer import Peer
from benchmarks.server import SUBMIT, Call, Endpoint, bash

OURS, DOCKER, LOCAL = 20, 5, 20
LONG, EARLY, LATE = 220, slice(14, 25), slice(194, 205)
# Plain, long, not ASCII, failing, and with characters that are none.
COMMANDS = (
    "true {}",
    "seq {}000",
    "echo 'Größe, 大小, \"{}\"'",
    "false {}",
    r"printf '\x1b[1m\xff{}'",
)
MESSAGES = re.compile(r'"messages":\s*\[')
MINI_SUBMIT = bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", tool="bash")


def measures() -> Iterator[Measure]:
    """B9, B10 and B20."""
    with Endpoint() as endpoint:
        with Peer("mini_swe_agent") as peer:
            for sandbox, turns, against, target in (
                ("docker", DOCKER, "mini-swe-agent, docker", at_least(20)),
                ("local", LOCAL, "mini-swe-agent, no sandbox", at_least(2)),
            ):
                script = [*turns_of("true {}", turns, tool="bash"), MINI_SUBMIT]
                ask = partial(peer.samples, url=endpoint.url, sandbox=sandbox)
                yield cost(endpoint, script, ask, against, target)
        with Peer("llm_in_sandbox") as peer:
            script = [*turns_of("true {}", DOCKER), SUBMIT]
            ask = partial(peer.samples, url=endpoint.url)
            yield cost(endpoint, script, ask, "llm-in-sandbox", at_least(20))
        runs = [loops.run(endpoint, turns_of("true {}", LONG)) for _ in range(ROUNDS + 1)][1:]
        rounds = [(run.costs[LATE], run.costs[EARLY]) for run in runs]
        yield Comparison("B10", "turn 200 of a run", "turn 20", "ms", rounds, at_most(1.3))
        bodies = loops.run(endpoint, mixed(LONG)).bodies
        kept = sum(continues(earlier, later) for earlier, later in pairwise(bodies))
        yield Count("B20", f"requests that begin like the one before, of {LONG}", kept, LONG)


def cost(
    endpoint: Endpoint,
    script: Sequence[Call],
    ask: Callable[[], object],
    against: str,
    target: Target,
) -> Measure:
    """A turn's own cost beside a peer's, by the endpoint's clock."""

    def theirs() -> Sequence[float]:
        endpoint.script(script)
        ask()
        return endpoint.record().costs

    rounds = in_turn(lambda: loops.run(endpoint, turns_of("true {}", OURS)).costs, theirs)
    return Comparison("B9", "a turn's own cost", against, "ms", rounds, target)


def turns_of(command: str, turns: int, tool: str = "execute_bash") -> list[Call]:
    """So many turns of a command, no two the same: a loop may notice that it goes in circles."""
    return [bash(command.format(turn), tool) for turn in range(turns)]


def mixed(turns: int) -> list[Call]:
    """Turns of all sorts of output."""
    return [bash(COMMANDS[turn % len(COMMANDS)].format(turn)) for turn in range(turns)]


def continues(earlier: str, later: str) -> bool:
    """Whether a request is the one before it with messages added at the end, byte for byte."""
    before, after = _split(earlier), _split(later)
    same = (before.head, before.tail) == (after.head, after.tail)
    return same and after.messages.startswith(before.messages)


class _Split(NamedTuple):
    head: str
    messages: str
    tail: str


def _split(body: str) -> _Split:
    """A request's bytes until its first message, its messages, and the bytes behind them."""
    key = MESSAGES.search(body)
    assert key, body[:200]
    # The opening bracket is read with the messages, the closing one is not of them.
    start = key.end() - 1
    _, end = json.JSONDecoder().raw_decode(body, start)
    return _Split(body[:start], body[start : end - 1].rstrip(), body[end - 1 :])
