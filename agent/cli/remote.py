"""`python -m agent run --studio URL`: the same, made by a studio somewhere else."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from agent.cli.keeping import MISSING, USAGE, keep, problem_of_request
from agent.cli.pause import at_a_terminal, said_yes
from agent.cli.studio import Gone, Refused, RemoteRun, Studio, Unreachable
from agent.events import ArtifactSaved, RunEnded, RunPaused, Shown
from agent.limits import Limits
from agent.loop import Stop
from agent.store import DirectoryStore

logger = logging.getLogger(__name__)

# What the studio's operator decides, and the command line's own defaults for it.
LOCAL = {
    "max_turns": Limits().turns,
    "max_tokens": None,
    "max_cost": None,
    "timeout": Limits().seconds,
    "record": None,
    "base_url": None,
}


def run(chosen: argparse.Namespace) -> int:
    """Have made what the command line asks for; the exit code."""
    try:
        token = _token(chosen.token_file)
    except OSError as error:
        print(f"{chosen.token_file} cannot be read: {error.strerror}.", file=sys.stderr)
        return USAGE
    if problem := _problem(chosen, token):
        print(problem, file=sys.stderr)
        return USAGE
    try:
        with Studio(chosen.studio, token) as studio:
            begun = studio.begin(chosen.prompt, chosen.input, chosen.network, chosen.model)
            return keep(chosen, lambda store, stop: _followed(studio, begun, store, stop, chosen))
    except Refused as error:
        print(error, file=sys.stderr)
        return USAGE
    except Unreachable as error:
        print(error, file=sys.stderr)
        return MISSING


def _token(file: Path | None) -> str:
    return (
        file.read_text("utf-8", "replace").strip() if file else os.environ.get("STUDIO_TOKEN", "")
    )


def _problem(chosen: argparse.Namespace, token: str) -> str:
    """What is wrong with the command line, or nothing."""
    if not chosen.studio.startswith(("http://", "https://")):
        return "--studio takes an address such as https://studio.example.org."
    if not token:
        return f"Make a token at {chosen.studio.rstrip('/')}/settings/tokens/ and set STUDIO_TOKEN."
    if not token.isascii() or not token.isprintable():
        return "This is no token of a studio: it begins with ss_."
    for name, usual in LOCAL.items():
        if getattr(chosen, name) != usual:
            return (
                f"--{name.replace('_', '-')} is for runs on this machine: the studio has its own."
            )
    return problem_of_request(chosen)


def _followed(
    studio: Studio,
    begun: RemoteRun,
    store: DirectoryStore,
    stop: Stop,
    chosen: argparse.Namespace,
) -> Iterator[Shown]:
    """What happens there, until it ends; what it saves is fetched before it is told."""
    with _stopping(studio, begun, stop):
        for item in studio.follow(begun):
            if isinstance(item, ArtifactSaved):
                try:
                    studio.fetch(begun, item, store)
                except Gone:
                    # It was written again meanwhile: the event of what it is now follows.
                    logger.debug("%s is a newer one by now", item.path)
                    continue
            yield item
            if isinstance(item, RunEnded):
                return
            if isinstance(item, RunPaused):
                if chosen.json or not at_a_terminal() or not said_yes():
                    print(f"Paused: {item.message} Let it go on at {begun.page}", file=sys.stderr)
                    return
                studio.go_on(begun)


@contextlib.contextmanager
def _stopping(studio: Studio, begun: RemoteRun, stop: Stop) -> Iterator[None]:
    """Ctrl-C stops the run there, also while nothing comes from it."""
    over = threading.Event()

    def wait() -> None:
        stop.wait()
        if not over.is_set():
            try:
                studio.stop(begun)
            except (Refused, Unreachable) as error:
                print(f"It could not be stopped: {error}", file=sys.stderr)

    threading.Thread(target=wait, name="stop", daemon=True).start()
    try:
        yield
    finally:
        over.set()
