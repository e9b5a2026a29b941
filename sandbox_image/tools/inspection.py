"""inspect FILE --into FOLDER: what a file is, what is wrong with it, its words and its pictures.

One JSON object (docs/inspection.md). Looking into a file happens in processes that may hang or
die of what it holds; what they told until then counts. Exit status: 0, 2 when there is no file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path

from checks.report import Report, Unreadable
from nature import nature

SECONDS, GRACE = 90.0, 1.0
MOST_FACTS, MOST_CHARACTERS = 40, 300
NUMBERS = ("width", "height", "seconds")


class TimeUp(BaseException):
    """Nobody waits any longer; what was started is ended on the way out."""


def findings(path: Path, asked: dict | None) -> Iterator[dict]:
    """What `check` tells."""
    # Only the process that checks needs what this imports.
    from check import examine

    try:
        report = examine(path, asked)
    except Unreadable as error:
        report = Report(str(path), path.stat().st_size)
        report.broken(error)
    told = {name: getattr(report, name) for name in NUMBERS}
    yield {
        "checked": True,
        "facts": dict(list(report.facts.items())[:MOST_FACTS]),
        "findings": told_of(report),
        **{name: value for name, value in told.items() if value is not None},
    }


def told_of(report: Report) -> list[dict]:
    return [asdict(finding) for finding in report.findings]


def words(path: Path, kind: str) -> Iterator[dict]:
    """What can be read in the file."""
    from reading import reading

    yield {"text": reading(path, kind)}


def previews(path: Path, media_type: str, kind: str, into: Path, seconds: float) -> Iterator[dict]:
    """What shows the file."""
    from previews import Subject, show

    with suppress(Unreadable):
        yield from show(Subject(path, media_type, into, seconds), kind)


class Worker:
    """A process that tells dictionaries, one a line."""

    def __init__(self, tell: Callable[[], Iterable[dict]]) -> None:
        self.read, write = os.pipe()
        self._buffer = b""
        self.pid = os.fork()
        if self.pid:
            os.close(write)
            return
        status = 1
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTERM, time_up)
            # Whatever a library prints is not the answer.
            os.dup2(2, 1)
            for part in tell():
                os.write(write, json.dumps(part, ensure_ascii=False).encode() + b"\n")
            status = 0
        except TimeUp:
            status = 0
        finally:
            if error := sys.exception():
                traceback.print_exception(error)
            os._exit(status)

    def told(self) -> tuple[list[dict], bool]:
        """What it told since the last time, and whether that was all."""
        data = os.read(self.read, 1 << 16)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return [json.loads(line) for line in lines], not data

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        until = time.monotonic() + GRACE
        while time.monotonic() < until and not os.waitpid(self.pid, os.WNOHANG)[0]:
            time.sleep(0.02)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def time_up(*_: object) -> None:
    raise TimeUp


def inspect(path: Path, into: Path, asked: dict | None, seconds: float) -> dict:
    """All that could be found out in `seconds`."""
    until = time.monotonic() + seconds - 2 * GRACE
    media_type, kind = nature(path)
    result = {"media_type": media_type, "kind": kind, "facts": {}, "findings": []}
    result |= {"width": None, "height": None, "seconds": None, "blur": "", "previews": []}
    result["text"] = ""
    check = partial(findings, path, asked)
    show = partial(previews, path, media_type, kind, into, seconds - 3 * GRACE)
    if kind == "image":
        # A large one leaves no memory for a second copy.
        workers = [Worker(lambda: chain(check(), show()))]
    else:
        workers = [Worker(check), Worker(show), Worker(partial(words, path, kind))]
    with selectors.DefaultSelector() as waiting:
        for worker in workers:
            waiting.register(worker.read, selectors.EVENT_READ, worker)
        while waiting.get_map() and (left := until - time.monotonic()) > 0:
            for key, _ in waiting.select(left):
                parts, ended = key.data.told()
                for part in parts:
                    add(result, part)
                if ended:
                    waiting.unregister(key.fd)
    for worker in workers:
        worker.end()
    if not result.pop("checked", False):
        report = Report(str(path), path.stat().st_size)
        report.warn(
            "unchecked",
            f"it could not be checked within {seconds:.0f} s, or only with too much memory",
            seconds=seconds,
        )
        result["findings"] = told_of(report)
    return result


def add(result: dict, part: dict) -> None:
    """Adds what one worker told; of numbers those that were told first stay."""
    for name, value in part.items():
        if name == "previews":
            result["previews"] += value
        elif name == "text":
            result["text"] = value
        elif name not in NUMBERS:
            result[name] = tidy(value)
        elif result[name] is None and math.isfinite(value) and value >= 0:
            result[name] = value


def tidy(value: object) -> object:
    """Texts of a length that is fit for a page."""
    if isinstance(value, dict):
        return {str(name)[:MOST_CHARACTERS]: tidy(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(item) for item in value]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS and value[:5] != "data:":
        return value[: MOST_CHARACTERS - 1] + "…"
    return value


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="inspect",
        description="Tells in one JSON object what a file is, its facts and findings, and writes "
        "pictures that show it (and for MIDI its sound) into a folder.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--asked", type=json.loads, metavar="JSON", help="what was asked for")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="it takes no longer")
    options = parser.parse_args()
    if not options.file.is_file():
        print(f"inspect: {options.file}: no such file", file=sys.stderr)
        return 2
    options.into.mkdir(parents=True, exist_ok=True)
    result = inspect(options.file.resolve(), options.into, options.asked, options.seconds)
    print(json.dumps(result, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
