"""A command in a sandbox that runs: ours against a process per command, and against a session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from agent.tools import Tool
from benchmarks import boxes
from benchmarks.measure import Comparison, Measure, Round, at_least, in_turn, milliseconds
from benchmarks.peer import Peer

OURS, THEIRS = 50, 5


def measures() -> Iterator[Measure]:
    """B1 and B2: the whole tool, from the model's arguments to its answer."""
    with boxes.new() as sandbox:
        tool = boxes.bash(sandbox)
        with Peer("docker_sdk") as peer:
            for command, target in (("true", at_least(100)), ("/bin/true", at_least(25))):
                rounds = answers(tool, peer, command)
                yield Comparison("B1", f"a command: {command}", "exec_run", "ms", rounds, target)
        with Peer("swe_rex") as peer:
            rounds = answers(tool, peer, "true")
            yield Comparison("B2", "a command: true", "swe-rex", "ms", rounds, at_least(200))


def answers(tool: Tool, peer: Peer, command: str) -> list[Round]:
    """How long a command's answers take."""

    def ours() -> Sequence[float]:
        return [milliseconds(partial(boxes.run, tool, command)) for _ in range(OURS)]

    return in_turn(ours, lambda: peer.samples(times=THEIRS, command=command))
