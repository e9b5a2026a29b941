"""From nothing to the first command's answer: warm, cold, and many at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from agent import DockerSandbox
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import Container
from agent.sandbox.pool import WIDTH
from benchmarks import boxes
from benchmarks.measure import (
    Comparison,
    Count,
    Measure,
    at_least,
    at_most,
    in_turn,
    milliseconds,
)
from benchmarks.peer import Peer

POOL = 4
BURST, BURST_ROUNDS = 32, 5


def measures() -> Iterator[Measure]:
    """B3, B4 and B6."""
    with Peer("docker_sdk") as peer:
        yield from warm(peer)
        rounds = in_turn(cold, lambda: peer.samples(times=1))
        yield Comparison(
            "B4", "cold start to an answer", "docker run, exec", "ms", rounds, at_most(1.3)
        )
    rounds = in_turn(lambda: burst(WIDTH), lambda: burst(1), BURST_ROUNDS)
    yield Comparison(
        "B6", f"{BURST} starts, {WIDTH} at a time", "one by one", "ms", rounds, at_least(1.6)
    )


def warm(peer: Peer) -> Iterator[Measure]:
    """As many runs as the pool has containers begin one after the other, again and again."""
    taken: list[Container | None] = []

    def take(confinement: Confinement) -> Container | None:
        taken.append(pool.take(confinement))
        return taken[-1]

    def ours() -> Sequence[float]:
        boxes.wait_until_ready(pool, POOL)
        with contextlib.ExitStack() as leave:
            return [first_answer(boxes.new(warm=take), leave) for _ in range(POOL)]

    with boxes.pool(POOL) as pool:
        rounds = in_turn(ours, lambda: peer.samples(times=1))
    yield Comparison(
        "B3", "warm start to an answer", "docker run, exec", "ms", rounds, at_least(80)
    )
    yield Count("B3", "found no container ready", taken.count(None), 0)


def first_answer(box: DockerSandbox, leave: contextlib.ExitStack) -> float:
    """Milliseconds from entering a sandbox to its first command's answer."""
    # As in a run, whose tools are there before it enters its sandbox.
    bash = boxes.bash(box)

    def enter_and_run() -> None:
        leave.enter_context(box)
        boxes.run(bash, "true")

    return milliseconds(enter_and_run)


def cold() -> Sequence[float]:
    """A sandbox started for it; removing it is not measured."""
    with contextlib.ExitStack() as leave:
        return [first_answer(boxes.new(), leave)]


def burst(width: int) -> Sequence[float]:
    """Starting many sandboxes; removing them is not measured."""
    starting = boxes.many(BURST, width)
    try:
        return [milliseconds(starting.__enter__)]
    finally:
        starting.__exit__(None, None, None)
