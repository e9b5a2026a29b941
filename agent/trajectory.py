"""A run as the steps of its model: thought, action, observation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.events import (
    Event,
    ModelSpoke,
    RunEnded,
    RunStarted,
    ToolFinished,
    ToolStarted,
)


def trajectory(events: Iterable[tuple[str, Event]]) -> dict[str, Any]:
    """One step per tool call, or per turn without one, from events with their ISO times."""
    whole: dict[str, Any] = {"steps": []}
    spoke: dict[str, Any] = {}
    open_steps: dict[str, dict[str, Any]] = {}
    for at, event in events:
        match event:
            case RunStarted():
                whole |= {"prompt": event.prompt, "model": event.model, "started": at}
            case ModelSpoke():
                spoke = {
                    "turn": event.turn,
                    "thought": event.text,
                    "reasoning": event.reasoning,
                    "usage": event.data()["usage"],
                    "model_seconds": event.seconds,
                }
                if not event.calls:
                    whole["steps"].append({**spoke, "at": at, "action": None, "observation": None})
            case ToolStarted():
                action = {"tool": event.tool, "arguments": dict(event.arguments)}
                step = {**spoke, "at": at, "action": action, "observation": None}
                open_steps[event.call] = step
                whole["steps"].append(step)
            case ToolFinished():
                open_steps[event.call] |= {
                    "observation": event.output,
                    "exit_code": event.exit_code,
                    "seconds": event.seconds,
                }
            case RunEnded():
                whole |= {"ended": at, **event.data()}
    return whole
