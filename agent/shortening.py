"""What is left of a message when its conversation has outgrown the model's window."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.events import ToolCall
from agent.models import Message
from agent.models.typed import whole
from agent.tokens import counted
from agent.tools import shortened

LONG = 600
LINE_CHARS, ARGUMENT_CHARS, BRIEF_CHARS, SAID_CHARS = 160, 200, 120, 500
OUTPUT = "[Output of {chars:,} characters put aside; call again if you need it. It began:]\n"
ARGUMENT = "[… {chars:,} characters put aside here; the call itself was made with all of them …]"
PICTURE = "[A picture was here and is put aside; view it again if you need it.]"


def masked(message: Message) -> Message:
    """The message without its pictures, long outputs and long arguments; a short one is itself."""
    text = message.text
    if message.role == "tool" and len(text) > LONG:
        first = text.lstrip().partition("\n")[0][:LINE_CHARS]
        text = f"{OUTPUT.format(chars=len(text))}{first}"
    if message.images:
        text = f"{text}\n{PICTURE}"
    calls = tuple(map(_masked_call, message.calls))
    if (text, calls) == (message.text, message.calls):
        return message
    return replace(message, text=text, calls=calls, images=())


def _masked_call(call: ToolCall) -> ToolCall:
    """The call with its long arguments cut; they are a JSON object before and after."""
    if len(call.arguments) <= LONG:
        return call
    cut = {name: _masked_value(value) for name, value in _arguments(call).items()}
    return replace(call, arguments=whole(json.dumps(cut, ensure_ascii=False)))


def _masked_value(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) <= LONG:
        return value
    return f"{text[:ARGUMENT_CHARS]}\n{ARGUMENT.format(chars=len(text) - ARGUMENT_CHARS)}"


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        arguments = json.loads(call.arguments or "{}", strict=False)
    except (ValueError, RecursionError):
        arguments = None
    return arguments if isinstance(arguments, dict) else {"text": call.arguments}


def cut(messages: Sequence[Message], tokens: int) -> list[Message]:
    """The messages with the longest texts cut, so that all together are about that long."""
    fitting = dict(enumerate(messages))
    # What the shorter ones leave of their share is for the longer ones.
    places = sorted(fitting, key=lambda place: counted(messages[place]))
    for left, place in zip(range(len(places), 0, -1), places, strict=True):
        fitting[place] = cut_to(fitting[place], max(0, tokens) // left)
        tokens -= counted(fitting[place])
    return [fitting[place] for place in range(len(messages))]


def cut_to(message: Message, tokens: int) -> Message:
    """The message with the middle of its text left out; pictures go if they alone are too much."""
    if message.images and counted(replace(message, text="")) > tokens // 2:
        message = replace(message, text=f"{message.text}\n{PICTURE}", images=())
    while (size := counted(message)) > tokens and len(message.text) > LONG:
        chars = max(LONG // 2, len(message.text) * tokens // size - LONG // 6)
        message = replace(message, text=shortened(message.text, chars))
    return message


def told_briefly(messages: Iterable[Message]) -> str:
    """What was said and done, a line each: for when the model writes no summary itself."""
    return "\n".join(line for message in messages for line in _lines(message))


def _lines(message: Message) -> Iterator[str]:
    if message.role != "assistant":
        return
    if text := message.text.strip():
        yield text if not message.calls else shortened(text, SAID_CHARS)
    for call in message.calls:
        said = " ".join(str(value) for value in _arguments(call).values())
        yield f"- {call.name}: {' '.join(said[: BRIEF_CHARS * 2].split())[:BRIEF_CHARS]}"
