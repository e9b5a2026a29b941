"""What was said in a run, as messages in the form of OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from agent.conversation import GIVEN, NOT_RUN, NUDGE, STEERED, opening, steered
from agent.events import Event, ModelSpoke, RunStarted, ToolFinished, UserSteered
from agent.inputs import Exchange
from agent.limits import Limits
from agent.models import Message
from agent.sandbox import Sandbox
from agent.tools.bash import bash_tool
from agent.tools.editor import editor_tool
from agent.tools.submit import submit_tool
from agent.trajectories.timed import NotATrajectory, Timed, event, listing, mapping, text_of

ROLES = {"system", "developer", "user", "assistant", "tool"}
FILES_GIVEN = "\n\nFiles given:"


def tools(limits: Limits) -> list[Mapping[str, Any]]:
    """The schemas of the tools that a run has."""
    nowhere = cast(Sandbox, None)  # A schema comes from a signature; nothing is called.
    made = [
        bash_tool(nowhere, limits, lambda: 0.0),
        editor_tool(nowhere, limits),
        submit_tool(lambda: False),
    ]
    return [tool.schema for tool in made]


def write(
    events: Iterable[Timed], history: Sequence[Exchange] = (), limits: Limits | None = None
) -> Iterator[str]:
    """The text, a message at a time; `history` are the earlier requests that the model was told."""
    before = '{"messages": [\n'
    for message in _messages(events, history):
        yield before + json.dumps(_wire(message), ensure_ascii=False)
        before = ",\n"
    schemas = json.dumps(tools(limits or Limits()), ensure_ascii=False)
    yield f'{before if before.startswith("{") else ""}\n], "tools": {schemas}}}\n'


def _messages(events: Iterable[Timed], history: Sequence[Exchange]) -> Iterator[Message]:
    answers: dict[str, str] = {}
    silent = False
    for _, happened in events:
        match happened:
            case RunStarted():
                yield from opening(happened.system, happened.prompt, happened.inputs, history)
            case ModelSpoke():
                yield from _answered(answers)
                if silent:
                    yield Message("user", NUDGE)
                answers = {call.id: NOT_RUN for call in happened.calls}
                silent = not happened.calls
                yield Message(
                    "assistant", happened.text, happened.calls, reasoning=happened.reasoning
                )
            case ToolFinished() if happened.call in answers:
                answers[happened.call] = happened.output
            case UserSteered():
                yield from _answered(answers)
                if silent:
                    yield Message("user", NUDGE)
                answers, silent = {}, False
                yield steered(happened.text)
    yield from _answered(answers)


def _answered(answers: Mapping[str, str]) -> list[Message]:
    return [Message("tool", text, call=call) for call, text in answers.items()]


def _wire(message: Message) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.call:
        wire["tool_call_id"] = message.call
    if message.reasoning:
        wire["reasoning_content"] = message.reasoning
    if message.calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    return wire


def read(messages: Iterable[tuple[str, Any]], inputs: Any = ()) -> list[Timed]:
    """The events that the messages tell of, each with the name of its place in the file.

    Raises:
        NotATrajectory: one of them is no message.
    """
    named = [(where, _checked(where, message)) for where, message in messages]
    first = next((at for at, (_, message) in enumerate(named) if message.get("tool_calls")), None)
    asked = [
        at
        for at, (_, message) in enumerate(named[:first])
        if message["role"] == "user"
        and message["content"] != NUDGE
        and not message["content"].startswith(STEERED)
    ]
    if not asked:
        raise NotATrajectory("There is no request: a message of the user before the first call.")
    where, request = named[asked[-1]]
    prompt, given = _request(request["content"])
    system = [
        message["content"] for _, message in named if message["role"] in {"system", "developer"}
    ]
    started = event(
        where,
        "run.started",
        {
            "prompt": prompt,
            "model": "",
            "inputs": listing(where, inputs, "inputs") if inputs else given,
            "system": "\n\n".join(system),
        },
    )
    found: list[Timed] = [("", started)]
    turn = 0
    for where, message in named[asked[-1] + 1 :]:
        if message["role"] == "assistant":
            turn += 1
            found.append(("", _spoke(where, message, turn)))
        elif message["role"] == "tool":
            found.append(("", _finished(where, message)))
        elif message["role"] == "user" and message["content"] != NUDGE:
            said = {"text": message["content"].removeprefix(STEERED)}
            found.append(("", event(where, "user.steered", said)))
    return found


def _checked(where: str, message: Any) -> dict[str, Any]:
    """The message, with its content as a text."""
    message = mapping(where, message, "the message")
    if message.get("role") not in ROLES:
        raise NotATrajectory(f"{where}: a message has one of the roles {', '.join(sorted(ROLES))}.")
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if content is not None and not isinstance(content, str):
        raise NotATrajectory(f"{where}: the content is no text.")
    return {**message, "content": content or ""}


def _request(text: str) -> tuple[str, list[str]]:
    """A request without the list of files that it ends with, and these."""
    prompt, _, rest = text.rpartition(FILES_GIVEN)
    names = rest.split(GIVEN)[1:]
    if names and "".join(GIVEN + name for name in names) == rest:
        return prompt, names
    return text, []


def _spoke(where: str, message: Mapping[str, Any], turn: int) -> Event:
    calls = []
    for number, call in enumerate(listing(where, message.get("tool_calls") or [], "tool_calls"), 1):
        function = mapping(where, mapping(where, call, "a call").get("function"), "a function")
        calls.append(
            {
                "id": call.get("id") or f"call_{turn}_{number}",
                "name": function.get("name"),
                "arguments": text_of(function.get("arguments", "")),
            }
        )
    return event(
        where,
        "model.spoke",
        {
            "turn": turn,
            "text": message["content"],
            "reasoning": message.get("reasoning_content") or "",
            "calls": calls,
        },
    )


def _finished(where: str, message: Mapping[str, Any]) -> Event:
    known = {name: message[name] for name in ("exit_code", "seconds") if name in message}
    answered = {"call": message.get("tool_call_id"), "output": message["content"]}
    return event(where, "tool.finished", {**known, **answered})
