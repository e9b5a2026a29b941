"""What a run does, wherever it is made: shown as it happens, and kept in the output folder."""

from __future__ import annotations

import argparse
import contextlib
import io
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Protocol

from agent.cli.folder import Folder
from agent.cli.progress import Progress
from agent.events import Event, Reason, RunEnded, Shown
from agent.loop import Stop
from agent.store import DirectoryStore
from agent.trajectories import Timed, chat, lines, steps

ENDED_WITHOUT, USAGE, MISSING = 1, 2, 3
PROMPT_CHARS = 20_000
EXIT_CODES = {
    Reason.SUBMITTED: 0,
    Reason.MODEL_UNAVAILABLE: MISSING,
    Reason.SANDBOX_UNAVAILABLE: MISSING,
}


class _Screen(Protocol):
    def show(self, item: Shown) -> None: ...


def keep(
    chosen: argparse.Namespace, happening: Callable[[DirectoryStore, Stop], Iterator[Shown]]
) -> int:
    """Show what happens, and keep its files and records in the output folder; the exit code.

    What has happened to a file is told when its bytes are in the store.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A model can write half a surrogate pair.
    stop = Stop()
    screen: _Screen = _Lines(sys.stdout) if chosen.json else Progress()
    with contextlib.ExitStack() as stack:
        chosen.output.mkdir(parents=True, exist_ok=True)
        blobs = stack.enter_context(tempfile.TemporaryDirectory(dir=chosen.output, prefix=".new-"))
        store = DirectoryStore(Path(blobs))
        record = stack.enter_context(
            (chosen.output / "run.jsonl").open("w", encoding="utf-8", errors="replace")
        )
        stack.enter_context(_interrupt_stops(stop))
        files = Folder(chosen.output, store)
        kept: list[Timed] = []
        for item in happening(store, stop):
            if isinstance(item, Event):
                kept.append((_now(), item))
                print(lines.line(*kept[-1]), end="", file=record, flush=True)
                files.take(item)
            screen.show(item)
    for name, pieces in (("messages", chat.write(kept)), ("trajectory", steps.write(kept))):
        (chosen.output / f"{name}.json").write_text("".join(pieces), "utf-8", "replace")
    end = kept[-1][1] if kept else None
    return EXIT_CODES.get(end.reason, ENDED_WITHOUT) if isinstance(end, RunEnded) else ENDED_WITHOUT


def problem_of_request(chosen: argparse.Namespace) -> str:
    """What is wrong with the command line, or nothing."""
    if not chosen.prompt.strip():
        return "The request is empty. Say what to make."
    if len(chosen.prompt) > PROMPT_CHARS:
        return (
            f"The request has over {PROMPT_CHARS} characters. Put it into a file, give that file "
            "with --input, and say in the request what to do with it."
        )
    return problem_of_files(chosen)


def problem_of_files(chosen: argparse.Namespace) -> str:
    """What is wrong with the files that are given and the folder for those made, or nothing."""
    for path in chosen.input:
        if not path.is_file():
            return f"There is no file {path}."
    names = [path.name for path in chosen.input]
    if len(set(names)) < len(names):
        return "Two inputs have the same name. Rename one."
    if chosen.output.exists() and not chosen.output.is_dir():
        return f"{chosen.output} is not a folder."
    return ""


class _Lines:
    """One event per line as JSON; hints are left out."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def show(self, item: Shown) -> None:
        if isinstance(item, Event):
            print(lines.line(_now(), item), end="", file=self._file, flush=True)


@contextlib.contextmanager
def _interrupt_stops(stop: Stop) -> Iterator[None]:
    """Ctrl-C asks the run to end, so that what was made is kept; a second one ends at once."""

    def ask(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
