"""Thought, action, observation: `trajectory.json` as the package llm-in-sandbox 0.2 writes it.

There a turn has one call at most. Here further calls of a turn are steps without a thought; which
turn they belong to is in their `metadata`, as is all else that its readers do not ask for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent.conversation import NOT_RUN, NUDGE
from agent.events import (
    PAUSES,
    ModelSpoke,
    RunEnded,
    RunPaused,
    RunStarted,
    ToolCall,
    ToolFinished,
    UserSteered,
)
from agent.trajectories.timed import Timed, event, listing, mapping, text_of, unpacked

NO_ACTION = {"function": "", "parameters": {}}


def write(events: Iterable[Timed]) -> Iterator[str]:
    """The text, a step at a time."""
    metadata: dict[str, Any] = {}
    spoke: ModelSpoke | None = None
    finished: dict[str, ToolFinished] = {}
    said: list[str] = []  # before the turn, and after it
    later: list[str] = []
    count = 0
    before = '{"problem_statement": "", "steps": [\n'
    for at, happened in events:
        match happened:
            case RunStarted():
                prompt = json.dumps(happened.prompt, ensure_ascii=False)
                before = f'{{"problem_statement": {prompt}, "steps": [\n'
                metadata |= {
                    "model": happened.model,
                    "inputs": happened.inputs,
                    "system": happened.system,
                    "started": at,
                }
            case ModelSpoke():
                for step in _steps(spoke, finished, count, said):
                    yield before + json.dumps(step, ensure_ascii=False)
                    before, count = ",\n", count + 1
                spoke, finished, said, later = happened, {}, later, []
            case ToolFinished():
                finished[happened.call] = happened
            case UserSteered():
                later.append(happened.text)
            case RunEnded() | RunPaused():
                metadata |= {"ended": at, **happened.data()}
    for step in _steps(spoke, finished, count, said):
        yield before + json.dumps(step, ensure_ascii=False)
        before, count = ",\n", count + 1
    rest = json.dumps({"total_steps": count, **metadata}, ensure_ascii=False)
    yield f'{before if before.startswith("{") else ""}\n], "metadata": {rest}}}\n'


def _steps(
    spoke: ModelSpoke | None,
    finished: Mapping[str, ToolFinished],
    count: int,
    said: Sequence[str],
) -> Iterator[dict[str, Any]]:
    """The steps of a turn, from number `count` + 1 on; the user `said` this before it."""
    if spoke is None:
        return
    calls: tuple[ToolCall | None, ...] = spoke.calls or (None,)
    for number, call in enumerate(calls):
        first = number == 0
        metadata: dict[str, Any] = {
            "step": count + number + 1,
            "exec_time": spoke.seconds if first else 0.0,
            "turn": spoke.turn,
        }
        if first:
            metadata["usage"] = spoke.data()["usage"]
            metadata |= {"said": list(said)} if said else {}
        action, observation = NO_ACTION, NUDGE
        if call is not None:
            action = {"function": call.name, "parameters": unpacked(call)}
            end = finished.get(call.id)
            observation = end.output if end else NOT_RUN
            metadata["call"] = call.id
            if end:
                metadata |= {"exit_code": end.exit_code, "seconds": end.seconds}
        yield {
            "thought": spoke.text if first else "",
            "reasoning_content": spoke.reasoning if first else "",
            "action": action,
            "observation": observation,
            "metadata": metadata,
        }


def read(whole: Mapping[str, Any]) -> list[Timed]:
    """The events that a file of this format tells of.

    Raises:
        NotATrajectory: something in it is not what it should be.
    """
    known = mapping("metadata", whole.get("metadata") or {}, "it")
    started = event(
        "problem_statement",
        "run.started",
        {"model": "", **known, "prompt": whole.get("problem_statement")},
    )
    found: list[Timed] = [(str(known.get("started", "")), started)]
    turns: list[dict[str, Any]] = []
    answers: list[list[Timed]] = []
    heard: list[list[Timed]] = []
    for number, step in enumerate(listing("steps", whole.get("steps"), "it"), 1):
        where = f"step {number}"
        step = mapping(where, step, "it")
        about = mapping(where, step.get("metadata") or {}, "metadata")
        turn = about.get("turn", number)
        if not turns or turns[-1]["turn"] != turn:
            turns.append(
                {
                    "where": where,
                    "turn": turn,
                    "text": step.get("thought") or "",
                    "reasoning": step.get("reasoning_content") or "",
                    "calls": [],
                    "usage": about.get("usage") or {},
                    "seconds": about.get("exec_time") or 0.0,
                }
            )
            answers.append([])
            heard.append(
                [
                    ("", event(where, "user.steered", {"text": text}))
                    for text in listing(where, about.get("said") or [], "said")
                ]
            )
        action = mapping(where, step.get("action") or {}, "action")
        if action.get("function"):
            id = about.get("call") or f"call_{number}"
            arguments = text_of(action.get("parameters", {}))
            turns[-1]["calls"].append(
                {"id": id, "name": action["function"], "arguments": arguments}
            )
            finished = event(
                where,
                "tool.finished",
                {**about, "call": id, "output": step.get("observation") or ""},
            )
            answers[-1].append(("", finished))
    for spoke, given, said in zip(turns, answers, heard, strict=True):
        found += [*said, ("", event(spoke["where"], "model.spoke", spoke)), *given]
    if "reason" in known:
        kind = RunPaused.kind if str(known["reason"]) in PAUSES else RunEnded.kind
        found.append((str(known.get("ended", "")), event("metadata", kind, known)))
    return found
