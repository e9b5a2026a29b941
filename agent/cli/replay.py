"""`python -m agent replay FILE`: a recorded run's calls, made again in a fresh sandbox."""

from __future__ import annotations

import argparse
import sys

from agent.cli.keeping import USAGE, problem_of_files
from agent.cli.run import make
from agent.events import RunStarted
from agent.loop import NUDGES
from agent.trajectories import NotATrajectory, Recorded, Timed, read, replies_of


def replay(chosen: argparse.Namespace) -> int:
    """Play a trajectory again; the exit code, 0 when it submits as it did."""
    try:
        events = read(chosen.file)
    except NotATrajectory as error:
        return _refused(f"{chosen.file}: {error}")
    except OSError as error:
        return _refused(f"{chosen.file} cannot be read: {error.strerror}.")
    started = _started(events)
    if started is None:
        return _refused(f"{chosen.file}: it does not tell of a run's beginning (run.started).")
    if problem := problem_of_files(chosen):
        return _refused(problem)
    given = {path.name for path in chosen.input}
    if missing := [name for name in started.inputs if name not in given]:
        return _refused(f"The run had been given {', '.join(missing)}. Give it with --input.")
    chosen.prompt = started.prompt
    chosen.max_turns = len(replies_of(events)) + NUDGES + 1
    return make(Recorded(events), chosen)


def _started(events: list[Timed]) -> RunStarted | None:
    return next((event for _, event in events if isinstance(event, RunStarted)), None)


def _refused(problem: str) -> int:
    print(problem, file=sys.stderr)
    return USAGE
