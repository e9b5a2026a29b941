"""A server that speaks OpenAI's protocol to the letter, and the words others share with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.events import ToolCall
from agent.models import Reply

Json = dict[str, Any]
Refusal = tuple[int, Json]
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PARAMETERS = frozenset({"model", "messages", "tools", "stream", "stream_options"})
FIELDS = frozenset({"role", "content", "tool_calls", "tool_call_id"})


class OpenAI:
    """What all have in common, and what OpenAI's own does."""

    title = "OpenAI"
    parameters = PARAMETERS
    fields = FIELDS  # of a message; what is more is refused
    thinks = False
    counts = True

    def answers(self, request: Json, reply: Reply) -> bytes:
        """The body of an answer."""
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in self.stream(request, reply)]
        return "".join([*lines, "data: [DONE]\n\n"]).encode()

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        yield chunk({"role": "assistant", "content": "", "refusal": None}, usage=None)
        yield from self.thought(reply)
        for text in cut(reply.text):
            yield chunk({"content": text}, usage=None)
        yield from self.calls(reply)
        yield chunk({}, self.reason(reply), usage=None)
        if (request.get("stream_options") or {}).get("include_usage"):
            yield {**chunk(), "choices": [], "usage": self.usage(reply)}

    def thought(self, reply: Reply) -> Iterator[Json]:
        yield from ()

    def calls(self, reply: Reply) -> Iterator[Json]:
        for index, call in enumerate(reply.calls):
            function = {"name": call.name, "arguments": ""}
            head = {"index": index, "id": self.id(call, index), "type": "function"}
            yield chunk({"tool_calls": [{**head, "function": function}]})
            for text in cut(call.arguments):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": text}}]})

    def id(self, call: ToolCall, index: int) -> str:
        return f"call_{index}"

    def reason(self, reply: Reply) -> str:
        return "tool_calls" if reply.calls else "stop"

    def usage(self, reply: Reply) -> Json:
        return {
            "prompt_tokens": reply.usage.input,
            "completion_tokens": reply.usage.output,
            "prompt_tokens_details": {"cached_tokens": reply.usage.cached},
        }

    def refuses(self, request: Json) -> Refusal | None:
        """The refusal of a request that this server does not take."""
        for name in request.keys() - self.parameters:
            return refusal(f"Unrecognized request argument supplied: {name}")
        for message in request["messages"]:
            for name in message.keys() - self.fields:
                return refusal(f"Unsupported field '{name}' in a message", name)
        return unpaired(request["messages"]) or self.complaint(request["messages"])

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        """What this server alone finds wrong with messages."""
        return None


def chunk(delta: Mapping[str, Any] | None = None, reason: str | None = None, **more: Any) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    whole = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    return {**whole, "choices": [choice], **more}


def cut(text: str) -> list[str]:
    return [text[start : start + 5] for start in range(0, len(text), 5)]


def as_json(call: ToolCall) -> Json:
    return {"name": call.name, "arguments": json.loads(call.arguments)}


def hermes(reply: Reply) -> str:
    """A reply with its calls as models write them that were told of tools in words."""
    calls = (f"\n<tool_call>\n{json.dumps(as_json(call))}\n</tool_call>" for call in reply.calls)
    return reply.text + "".join(calls)


def refusal(message: str, param: str | None = None) -> Refusal:
    return 400, {"error": {"message": message, "type": "invalid_request_error", "param": param}}


def unpaired(messages: Sequence[Json]) -> Refusal | None:
    """The refusal of calls that are not each answered once, in order and at once."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting[:1]:
                return refusal("messages with role 'tool' must answer a preceding call")
            waiting.pop(0)
        elif waiting:
            return refusal(f"tool_call_ids did not have response messages: {', '.join(waiting)}")
        for call in message.get("tool_calls", ()):
            if not NAME.fullmatch(call["function"]["name"]):
                return refusal("Invalid 'tool_calls[0].function.name'")
            waiting.append(call["id"])
    return refusal("calls without an answer at the end") if waiting else None


def unreadable(messages: Sequence[Json], status: int, said: str) -> Refusal | None:
    """The refusal of arguments that are no JSON object."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            try:
                readable = isinstance(json.loads(call["function"]["arguments"]), dict)
            except ValueError:
                readable = False
            if not readable:
                return status, {"error": {"message": said, "code": status}}
    return None
