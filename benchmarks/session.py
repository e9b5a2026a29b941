"""A whole run of ten turns: from the start to the files on disk, the sandbox gone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks import boxes, loops
from benchmarks.engine import plain_image
from benchmarks.measure import Comparison, Measure, at_least, milliseconds
from benchmarks.peer import ENVIRONMENT, LOGS, PEERS, ROOT
from benchmarks.server import MODEL, SUBMIT, Endpoint, bash

ROUNDS = 5
FILES = 9
# In both sandboxes the folder of results is `output` in the working directory.
CALLS = [bash(f"seq {turn}000 >output/{turn}.txt") for turn in range(1, FILES + 1)]
PROMPT = "Write nine files."


def measures() -> Iterator[Measure]:
    """B11: our command line and our worker beside the command line of the paper's package."""
    with Endpoint() as endpoint, boxes.pool(1) as pool, plain_image() as image:

        def warm() -> Sequence[float]:
            boxes.wait_until_ready(pool, 1)
            with loops.prepared(endpoint, CALLS, pool.take) as agent:
                return [milliseconds(partial(loops.finish, agent, PROMPT))]

        # Theirs knows one way to run: both of ours stand beside it in each round.
        taken = [(ours(endpoint), warm(), theirs(endpoint, image)) for _ in range(ROUNDS + 1)][1:]
    against = "llm-in-sandbox run"
    for what, rounds, target in (
        ("ten turns, command line", [(cold, peer) for cold, _, peer in taken], at_least(8)),
        ("ten turns, warm worker", [(warm, peer) for _, warm, peer in taken], at_least(15)),
    ):
        yield Comparison("B11", what, against, "ms", rounds, target)


def ours(endpoint: Endpoint) -> Sequence[float]:
    """`python -m agent run`, from its start to its end."""
    command = [sys.executable, "-m", "agent", "run", PROMPT, "--model", MODEL]
    return [_timed(endpoint, [*command, "--base-url", endpoint.url, "--output"])]


def theirs(endpoint: Endpoint, image: str) -> Sequence[float]:
    """`llm-in-sandbox run`, likewise."""
    given = {
        "query": PROMPT,
        "llm_name": MODEL,
        "llm_base_url": endpoint.url,
        "api_key": "none",
        "docker_image": image,
    }
    command = [str(PEERS / "bin" / "llm-in-sandbox"), "run"]
    options = [f"--{name}={value}" for name, value in given.items()]
    return [_timed(endpoint, [*command, *options, "--output_dir"])]


def _timed(endpoint: Endpoint, command: Sequence[str]) -> float:
    """Milliseconds that a command takes which is given a folder for its files, last."""
    endpoint.script([*CALLS, SUBMIT])
    with tempfile.TemporaryDirectory() as folder, (LOGS / "session.log").open("wb") as log:
        run = partial(
            subprocess.run,
            [*command, folder],
            cwd=ROOT,
            env=os.environ | ENVIRONMENT,
            stdout=log,
            stderr=log,
            check=True,
        )
        taken = milliseconds(run)
        assert len(list(Path(folder).rglob("[1-9].txt"))) == FILES, f"{log.name} says more"
    return taken
