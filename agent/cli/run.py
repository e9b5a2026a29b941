"""`python -m agent run`: one request, its events on the screen, its files in a folder."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol

from agent.cli import pause
from agent.cli.progress import Progress
from agent.errors import ModelUnavailable
from agent.events import (
    ArtifactRemoved,
    ArtifactSaved,
    Event,
    Reason,
    RunEnded,
    Shown,
)
from agent.inputs import Input
from agent.limits import Limits
from agent.loop import Agent, Stop
from agent.models import Model
from agent.models.choose import model_from_environment
from agent.models.openai import OpenAIModel
from agent.prompts import BrokenPrompt, Prompts
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import DockerSandbox
from agent.store import DirectoryStore
from agent.trajectories import Timed, chat, lines, steps

logger = logging.getLogger(__name__)

ENDED_WITHOUT, USAGE, MISSING = 1, 2, 3
PROMPT_CHARS = 20_000
EXIT_CODES = {
    Reason.SUBMITTED: 0,
    Reason.MODEL_UNAVAILABLE: MISSING,
    Reason.SANDBOX_UNAVAILABLE: MISSING,
}
RECORDS = {"run.jsonl", "messages.json", "trajectory.json"}


class _Screen(Protocol):
    def show(self, item: Shown) -> None: ...


def run(chosen: argparse.Namespace) -> int:
    """Make what the command line asks for; the exit code."""
    if problem := problem_of_request(chosen):
        print(problem, file=sys.stderr)
        return USAGE
    try:
        model = model_from_environment(name=chosen.model, base_url=chosen.base_url)
    except ModelUnavailable as error:
        print(error, file=sys.stderr)
        return MISSING
    try:
        prompts = Prompts(Path(folder)) if (folder := os.environ.get("STUDIO_PROMPTS")) else None
    except BrokenPrompt as error:
        print(f"STUDIO_PROMPTS: {error}", file=sys.stderr)
        return USAGE
    if chosen.record is None:
        return make(model, chosen, prompts)
    if not isinstance(model, OpenAIModel):
        print("Recipes ask no endpoint: there is nothing for --record.", file=sys.stderr)
        return USAGE
    try:
        file = chosen.record.open("w", encoding="utf-8", errors="replace")
    except OSError as error:
        print(f"{chosen.record} cannot be written: {error.strerror}.", file=sys.stderr)
        return USAGE
    with file:
        told = model.recorded(lambda exchange: _write(exchange, file))
        return make(told, chosen, prompts)


def _write(exchange: Mapping[str, Any], file: IO[str]) -> None:
    print(json.dumps(exchange, ensure_ascii=False), file=file, flush=True)


def make(model: Model, chosen: argparse.Namespace, prompts: Prompts | None = None) -> int:
    """Make what is asked for with that model; the exit code."""

    def happening(store: DirectoryStore, stop: Stop) -> Iterator[Shown]:
        def begin(limits: Limits) -> Agent:
            sandbox = DockerSandbox(Confinement(network=chosen.network or "none"))
            return Agent(model, sandbox, store, limits, stop, prompts)

        limits = Limits(
            turns=chosen.max_turns,
            seconds=chosen.timeout,
            tokens=chosen.max_tokens,
            cost=chosen.max_cost,
        )
        inputs = [Input.from_path(path) for path in chosen.input]
        goes_on = pause.told if chosen.json else pause.asked
        return pause.through_pauses(begin, chosen.prompt, inputs, limits, goes_on)

    return keep(chosen, happening)


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
        files = _Files(chosen.output, store)
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


class _Files:
    """Puts artifacts into a folder of the host under names that cannot leave it."""

    def __init__(self, folder: Path, store: DirectoryStore) -> None:
        self._folder = folder
        self._store = store
        self._places: dict[str, Path] = {}

    def take(self, event: Event) -> None:
        """Write the file that an event tells of, or remove it."""
        match event:
            case ArtifactSaved():
                place = self._places.get(event.path) or self._place(event.path)
                try:
                    self._write(event.digest, place)
                except OSError as error:
                    # The name may be too long here, or that of a folder.
                    place = self._folder / _short_name(event.path)
                    self._write(event.digest, place)
                    why = error.strerror
                    logger.warning("%s is kept as %s: %s", event.path, place.name, why)
                self._places[event.path] = place
            case ArtifactRemoved() if event.path in self._places:
                self._places.pop(event.path).unlink(missing_ok=True)

    def _write(self, digest: str, place: Path) -> None:
        new = self._store.root / "new"
        shutil.copyfile(self._store.path(digest), new)
        place.parent.mkdir(parents=True, exist_ok=True)
        new.replace(place)

    def _place(self, label: str) -> Path:
        parts = [part for part in label.split("/") if part not in {"", ".", ".."}]
        if parts[:1] and parts[0] in RECORDS:
            parts[0] = f"output-{parts[0]}"
        return self._folder.joinpath(*parts)


def _short_name(label: str) -> str:
    ending = PurePosixPath(label).suffix
    kept = ending if ending.isascii() and len(ending) < 10 else ""
    return hashlib.sha256(label.encode()).hexdigest()[:16] + kept


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
