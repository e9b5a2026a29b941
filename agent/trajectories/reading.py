"""A file of any of the formats, known by what is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agent.trajectories import chat, lines, steps
from agent.trajectories.timed import NotATrajectory, Timed, mapping

BYTES = 256 << 20
FORMATS = (
    "JSON Lines of events or messages, an object with `messages`, or one with "
    "`problem_statement` and `steps`"
)


def read(path: Path) -> list[Timed]:
    """The events in a file, as far as its format tells of them.

    Raises:
        NotATrajectory: it is none of the formats, too large, or broken; the message says where.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(BYTES + 1)
    if len(data) > BYTES:
        raise NotATrajectory(f"It has over {BYTES >> 20} MB; no trajectory is that long.")
    try:
        return read_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotATrajectory(f"line {line}: this is no UTF-8 text.") from error


def read_text(text: str) -> list[Timed]:
    """The events in the text of a file.

    Raises:
        NotATrajectory: it is none of the formats or broken; the message says where.
    """
    try:
        return _read(text)
    except RecursionError as error:
        raise NotATrajectory("It is nested too deeply.") from error


def _read(text: str) -> list[Timed]:
    first = _object(text.lstrip().partition("\n")[0])
    if first.keys() & {"kind", "role", "meta"}:
        objects = list(_lines(text))
        if "kind" in first:
            return lines.read(objects)
        meta = mapping("line 1", first.get("meta") or {}, "meta")
        return chat.read(objects["meta" in first :], meta.get("inputs") or ())
    whole = mapping("line 1", _parsed(text, 1), "the file")
    if isinstance(whole.get("messages"), list):
        messages = enumerate(whole["messages"], 1)
        return chat.read((f"message {number}", message) for number, message in messages)
    if {"problem_statement", "steps"} <= whole.keys():
        return steps.read(whole)
    raise NotATrajectory(f"line 1: this is no trajectory. Known are {FORMATS}.")


def _object(line: str) -> dict[str, Any]:
    """The JSON object that a line is by itself, or an empty one."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _lines(text: str) -> Iterator[tuple[str, Any]]:
    # Only at line feeds: JSON strings may hold other separators of lines.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"line {number}", mapping(f"line {number}", _parsed(line, number), "it")


def _parsed(text: str, line: int) -> Any:
    """JSON that begins in that line of the file."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = line + error.lineno - 1
        raise NotATrajectory(f"line {where}: this is no JSON: {error.msg}.") from error
    except ValueError as error:
        raise NotATrajectory(f"line {line}: {error}") from error
