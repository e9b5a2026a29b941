"""Runs the benchmarks named, or all; the exit code is 1 when a target is missed.

scripts/bench [shell|start|teardown|idle|image|leaks|turns|session|arrival|serving|tokens]…
"""

from __future__ import annotations

import argparse

from rich.console import Console

from benchmarks import (
    arrival,
    idle,
    image,
    leaks,
    serving,
    session,
    shell,
    start,
    teardown,
    tokens,
    turns,
)
from benchmarks.engine import machine
from benchmarks.report import Result, result, store, table

GROUPS = {
    "shell": shell.measures,
    "start": start.measures,
    "teardown": teardown.measures,
    "idle": idle.measures,
    "image": image.measures,
    "leaks": leaks.measures,
    "turns": turns.measures,
    "session": session.measures,
    "arrival": arrival.measures,
    "serving": serving.measures,
    "tokens": tokens.measures,
}
# A line of the table fits, whatever the output is.
WIDTH = 130


def main() -> None:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(GROUPS))
    names = parser.parse_args().names or list(GROUPS)
    if unknown := set(names) - set(GROUPS):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    console = Console()
    console.width = max(console.width, WIDTH)
    rows: list[Result] = []
    for name in names:
        with console.status(f"Measuring: {name}"):
            group = [result(measure) for measure in GROUPS[name]()]
        store(machine(), name, group)
        rows += group
    console.print(table(rows))
    raise SystemExit(not all(row["met"] for row in rows))


if __name__ == "__main__":
    main()
