"""Many runs of a short scripted session, and what they leave behind."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from agent import Agent, DirectoryStore, DockerSandbox
from agent.events import Reason, RunEnded
from agent.testing import ScriptedModel, bash, submit
from benchmarks import boxes
from benchmarks.engine import PROC, belongings, left_since, settled
from benchmarks.measure import Count, Measure

RUNS, WARM_UP, THREADS = 500, 8, 4
SESSION = (
    bash("sleep 600 & echo kept >notes.txt"),
    bash("seq 2000 >output/numbers.txt; setsid sleep 600 &"),
    submit(),
)


def measures() -> Iterator[Measure]:
    """What the runs leave on the engine and in this process."""
    left = left_by(RUNS)
    for thing in left:
        print(f"Left behind: {thing}")
    yield Count("–", f"left behind by {RUNS} runs", len(left), 0)


def left_by(runs: int) -> list[str]:
    """What so many runs leave: of the engine by name, of this process how many more."""
    with tempfile.TemporaryDirectory() as folder:
        store = DirectoryStore(Path(folder))
        # What a process keeps after its first runs is kept once, not once a run.
        _run_all(WARM_UP, store)
        before, own = belongings(), _own()
        _run_all(runs, store)
        # The kernel still has a thread for a moment after Python has joined it.
        grown = settled(lambda: _own() - own)
        return [*sorted(left_since(before)), *(f"{n} {kind}" for kind, n in grown.items())]


def _run_all(runs: int, store: DirectoryStore) -> None:
    # Some begin in a container that waits ready, the others are too fast for the pool.
    with boxes.pool(THREADS) as pool, ThreadPoolExecutor(THREADS) as threads:
        ends = threads.map(lambda _: _run(boxes.new(warm=pool.take), store), range(runs))
        assert all(end.reason is Reason.SUBMITTED for end in ends)


def _run(box: DockerSandbox, store: DirectoryStore) -> RunEnded:
    *_, end = Agent(ScriptedModel(SESSION), box, store).run("numbers")
    assert isinstance(end, RunEnded)
    return end


def _own() -> Counter[str]:
    """What this process has open and running."""
    own = PROC / "self"
    tasks = list((own / "task").iterdir())
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    descriptors = list((own / "fd").iterdir())
    return Counter(descriptors=len(descriptors), threads=len(tasks), children=len(children))
