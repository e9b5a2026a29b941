"""What the formats have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent.events import Event, ToolCall, from_data

# When it happened, in ISO 8601 or empty where that is not known, and what.
Timed = tuple[str, Event]


class NotATrajectory(ValueError):
    """It is none of the formats; the message names the line, message or step and what is wrong."""


def event(where: str, kind: str, data: Mapping[str, Any]) -> Event:
    """An event from a stranger's file.

    Raises:
        NotATrajectory: a field is not what it should be.
    """
    try:
        return from_data(kind, data)
    except ValueError as error:
        raise NotATrajectory(f"{where}: {error}") from error


def mapping(where: str, value: Any, what: str) -> Mapping[str, Any]:
    """The value, if it is a JSON object.

    Raises:
        NotATrajectory: it is something else.
    """
    if not isinstance(value, dict):
        raise NotATrajectory(f"{where}: {what} is no JSON object.")
    return value


def listing(where: str, value: Any, what: str) -> list[Any]:
    """The value, if it is a JSON array.

    Raises:
        NotATrajectory: it is something else.
    """
    if not isinstance(value, list):
        raise NotATrajectory(f"{where}: {what} is no list.")
    return value


def text_of(arguments: Any) -> str:
    """A call's arguments as the text that the model wrote, also where a file has them unpacked."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def unpacked(call: ToolCall) -> Any:
    """A call's arguments as JSON, or its text if that is none."""
    try:
        found = json.loads(call.arguments or "{}", strict=False)
    except (ValueError, RecursionError):
        return call.arguments
    return found if isinstance(found, dict) else call.arguments
