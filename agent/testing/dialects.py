"""Servers as they really answer, scripted: OpenAI's protocol in the dialects of many.

Each takes requests as strictly and answers as oddly as the server does whose name it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler

from agent.events import ToolCall
from agent.models import Reply
from agent.testing.endpoint import Answer, ScriptedEndpoint
from agent.testing.protocol import (
    FIELDS,
    PARAMETERS,
    Json,
    OpenAI,
    Refusal,
    as_json,
    chunk,
    cut,
    hermes,
    refusal,
    unreadable,
)


class Azure(OpenAI):
    """Tells of its filters in chunks that have no choice, or a choice without a delta."""

    title = "Azure OpenAI"
    parameters = PARAMETERS - {"stream_options"}
    counts = False

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        yield {"choices": [], "id": "", "model": "", "prompt_filter_results": [{}]}
        yield from super().stream(request, reply)
        choice = {"index": 0, "finish_reason": None, "content_filter_offsets": {"check_offset": 44}}
        yield {"id": "", "model": "", "choices": [choice], "usage": None}


class VLLM(OpenAI):
    """Gives every piece of a call an id of its own; reads the arguments it is sent back."""

    title = "vLLM"
    fields = FIELDS | {"reasoning", "reasoning_content"}
    thinks = True

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"reasoning": text, "reasoning_content": text})

    def calls(self, reply: Reply) -> Iterator[Json]:
        for number, piece in enumerate(super().calls(reply)):
            call = piece["choices"][0]["delta"]["tool_calls"][0]
            yield chunk({"tool_calls": [{**call, "id": f"chatcmpl-tool-{number}"}]})

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        return unreadable(messages, 400, "Expecting value: line 1 column 1 (char 0)")


class VLLMWithoutParser(VLLM):
    """Was started without a parser of calls: it takes no tools, and calls stay text."""

    title = "vLLM without a tool parser"

    def refuses(self, request: Json) -> Refusal | None:
        if "tools" in request:
            return refusal(
                '"auto" tool choice requires --enable-auto-tool-choice and '
                "--tool-call-parser to be set"
            )
        return super().refuses(request)

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        yield from super().stream(request, Reply(hermes(reply), reply.reasoning, usage=reply.usage))


class SGLang(VLLM):
    """Gives all calls the same index, and none an id."""

    title = "SGLang"

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"reasoning_content": text, "content": None})

    def calls(self, reply: Reply) -> Iterator[Json]:
        for piece in OpenAI.calls(self, reply):
            call = piece["choices"][0]["delta"]["tool_calls"][0]
            yield chunk({"tool_calls": [{**call, "index": 0, "id": None}]})


class LlamaCpp(OpenAI):
    """Reads the arguments that it is sent back, and some builds give calls no id."""

    title = "llama.cpp"
    fields = FIELDS | {"reasoning_content"}
    thinks = True

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"reasoning_content": text}, timings={"predicted_n": 1})

    def id(self, call: ToolCall, index: int) -> str:
        return ""

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        return unreadable(messages, 500, "Failed to parse tool call arguments as JSON")


class Ollama(OpenAI):
    """Sends each call whole, all with the index 0, and may end with `stop`."""

    title = "Ollama"
    fields = FIELDS | {"reasoning"}
    thinks = True

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"role": "assistant", "content": "", "reasoning": text})

    def calls(self, reply: Reply) -> Iterator[Json]:
        for index, call in enumerate(reply.calls):
            function = {"name": call.name, "arguments": call.arguments}
            wish = {"id": self.id(call, index), "index": 0, "type": "function"}
            yield chunk({"content": "", "tool_calls": [{**wish, "function": function}]})

    def reason(self, reply: Reply) -> str:
        return "stop"


class LMStudio(OpenAI):
    """Leaves thoughts and calls in the text when it does not know the model's way of calling."""

    title = "LM Studio"
    thinks = True

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        calls = "".join(
            f"\n[TOOL_REQUEST]{json.dumps(as_json(call))}[END_TOOL_REQUEST]" for call in reply.calls
        )
        thought = f"<think>\n{reply.reasoning}\n</think>\n\n" if reply.reasoning else ""
        yield from super().stream(request, Reply(thought + reply.text + calls, usage=reply.usage))


class DeepSeek(OpenAI):
    """Wants its reasoning back, and counts in the chunk that ends the answer."""

    title = "DeepSeek"
    fields = FIELDS | {"reasoning_content"}
    thinks = True

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"content": None, "reasoning_content": text})

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        *pieces, end, usage = super().stream(request, reply)
        yield from pieces
        yield {**end, "usage": usage["usage"]}

    def usage(self, reply: Reply) -> Json:
        return {
            "prompt_tokens": reply.usage.input,
            "completion_tokens": reply.usage.output,
            "prompt_cache_hit_tokens": reply.usage.cached,
        }

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        if any("reasoning_content" not in one for one in messages if one["role"] == "assistant"):
            return refusal(
                "The `reasoning_content` in the thinking mode must be passed back to the API."
            )
        return None


class DashScope(OpenAI):
    """Sends empty ids after the first, and takes neither null nor arguments that are no JSON."""

    title = "Qwen (DashScope)"
    fields = FIELDS | {"reasoning_content"}
    thinks = True

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            yield chunk({"content": None, "reasoning_content": text})

    def calls(self, reply: Reply) -> Iterator[Json]:
        for piece in super().calls(reply):
            call = piece["choices"][0]["delta"]["tool_calls"][0]
            yield chunk({"content": None, "tool_calls": [{"id": "", "type": "function", **call}]})

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        if any(one.get("content") is None for one in messages):
            return refusal("<400> InvalidParameter: The content field is a required field.")
        said = 'The "function.arguments" parameter of the code model must be in JSON format.'
        return unreadable(messages, 400, said)


class Moonshot(DeepSeek):
    """Counts within the choice, and wants something said and thought in every message."""

    title = "Moonshot (Kimi)"

    def id(self, call: ToolCall, index: int) -> str:
        return f"functions.{call.name}:{index}"

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        *pieces, end = super().stream(request, reply)
        yield from pieces
        yield {**end, "usage": None, "choices": [{**end["choices"][0], "usage": end["usage"]}]}

    def usage(self, reply: Reply) -> Json:
        return {**super().usage(reply), "cached_tokens": reply.usage.cached}

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        for at, message in enumerate(messages):
            if message.get("tool_calls") and "reasoning_content" not in message:
                return refusal(
                    "thinking is enabled but reasoning_content is missing in assistant tool call "
                    f"message at index {at}"
                )
            if not message["content"] and not message.get("tool_calls"):
                return refusal(
                    f"Invalid request: the message at position {at} with role "
                    f"'{message['role']}' must not be empty"
                )
        return None


class MiniMax(OpenAI):
    """Thinks within the text, and sends the whole message once more at the end."""

    title = "MiniMax"
    thinks = True

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        thought = f"<think>\n{reply.reasoning}\n</think>\n" if reply.reasoning else ""
        said = Reply(thought + reply.text, calls=reply.calls, usage=reply.usage)
        fine = {"status_code": 0, "status_msg": ""}
        *pieces, usage = super().stream(request, said)
        for piece in pieces:
            yield {**piece, "usage": {"total_tokens": 0}, "base_resp": fine}
        message = {"role": "assistant", "content": said.text, "tool_calls": None}
        choice = {"index": 0, "finish_reason": self.reason(reply), "message": message}
        yield {**usage, "object": "chat.completion", "choices": [choice], "base_resp": fine}

    def calls(self, reply: Reply) -> Iterator[Json]:
        for index, call in enumerate(reply.calls):
            function = {"name": call.name, "arguments": call.arguments}
            wish = {"index": index, "id": f"call_function_{index}_1", "type": "function"}
            yield chunk({"role": "", "tool_calls": [{**wish, "function": function}]})

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        said = "invalid params, invalid function arguments json string (2013)"
        return unreadable(messages, 400, said)


class OpenRouter(OpenAI):
    """Keeps connections alive with comments, and has details of the reasoning to be sent back."""

    title = "OpenRouter"
    fields = FIELDS | {"reasoning", "reasoning_details"}
    thinks = True

    def answers(self, request: Json, reply: Reply) -> bytes:
        return b": OPENROUTER PROCESSING\n\n" * 2 + super().answers(request, reply)

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            detail = {"type": "reasoning.text", "text": text, "format": "unknown", "index": 0}
            yield chunk({"content": "", "reasoning": text, "reasoning_details": [detail]})
        if reply.reasoning:
            signed = {"type": "reasoning.text", "signature": "sig", "index": 0}
            yield chunk({"content": "", "reasoning_details": [signed]})

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        for message in messages:
            for detail in message.get("reasoning_details", ()):
                if detail.get("signature") != "sig" or not detail.get("text"):
                    return refusal("Invalid signature in thinking block")
        return None


class Mistral(OpenAI):
    """Thinks in parts of the content; has rules of its own for ids, turns and parameters."""

    title = "Mistral"
    parameters = PARAMETERS - {"stream_options"}
    thinks = True

    def stream(self, request: Json, reply: Reply) -> Iterator[Json]:
        *pieces, end = super().stream(request, reply)
        yield from pieces
        yield {**end, "usage": self.usage(reply)}

    def thought(self, reply: Reply) -> Iterator[Json]:
        for text in cut(reply.reasoning):
            part = {"type": "thinking", "thinking": [{"type": "text", "text": text}]}
            yield chunk({"content": [part]})

    def refuses(self, request: Json) -> Refusal | None:
        for name in request.keys() - self.parameters:
            return 422, {"detail": [{"type": "extra_forbidden", "loc": ["body", name]}]}
        return super().refuses(request)

    def id(self, call: ToolCall, index: int) -> str:
        return ""

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        ids = [call["id"] for one in messages for call in one.get("tool_calls", ())]
        if odd := [id for id in ids if not re.fullmatch("[a-zA-Z0-9]{9}", id)]:
            return refusal(
                f"Tool call id was {odd[0]} but must be a-z, A-Z, 0-9, with a length of 9."
            )
        return None


class Gemini(OpenAI):
    """Sends calls whole, without an index, and wants its signatures of them back."""

    title = "Gemini"

    def calls(self, reply: Reply) -> Iterator[Json]:
        for index, call in enumerate(reply.calls):
            function = {"name": call.name, "arguments": call.arguments}
            wish = {"id": f"function-call-{index}", "type": "function", "function": function}
            signed = {"extra_content": {"google": {"thought_signature": f"s{index}"}}}
            yield chunk({"role": "assistant", "tool_calls": [{**wish, **signed}]})

    def reason(self, reply: Reply) -> str:
        return "stop"

    def complaint(self, messages: Sequence[Json]) -> Refusal | None:
        for message in messages:
            for index, call in enumerate(message.get("tool_calls", ())):
                if call.get("extra_content") != {"google": {"thought_signature": f"s{index}"}}:
                    return refusal("Function call is missing a thought_signature.")
        return None


class Bare:
    """An old server: it streams nothing, and knows neither tools nor a system's message."""

    title = "A bare server"
    thinks = False
    counts = True

    def answers(self, request: Json, reply: Reply) -> bytes:
        message = {"role": "assistant", "content": hermes(reply)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": reply.usage.input, "completion_tokens": reply.usage.output}
        return json.dumps({"choices": [choice], "usage": usage}).encode()

    def refuses(self, request: Json) -> Refusal | None:
        if "tools" in request:
            return 400, {"error": "the model does not support tools"}
        if request.get("stream"):
            return 400, {"detail": "Streaming is not supported"}
        roles = [message["role"] for message in request["messages"]]
        if "system" in roles:
            return refusal("System role not supported")
        if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"]:
            return refusal("Conversation roles must alternate user/assistant/user/assistant/...")
        if any(not message["content"] for message in request["messages"]):
            return refusal("content must not be empty")
        return None


Server = OpenAI | Bare
SERVERS: dict[str, Server] = {
    "openai": OpenAI(),
    "azure": Azure(),
    "vllm": VLLM(),
    "vllm-without-parser": VLLMWithoutParser(),
    "sglang": SGLang(),
    "llama.cpp": LlamaCpp(),
    "ollama": Ollama(),
    "lmstudio": LMStudio(),
    "deepseek": DeepSeek(),
    "dashscope": DashScope(),
    "moonshot": Moonshot(),
    "minimax": MiniMax(),
    "openrouter": OpenRouter(),
    "mistral": Mistral(),
    "gemini": Gemini(),
    "bare": Bare(),
}


def scripted(server: Server, replies: Sequence[Reply]) -> ScriptedEndpoint:
    """An endpoint that gives the replies in a server's dialect, and refuses what that refuses."""

    def answers() -> Iterator[Answer]:
        for reply in replies:
            while refused := server.refuses(endpoint.requests[-1]):
                yield refused
            yield given(endpoint.requests[-1], reply)

    def given(request: Json, reply: Reply) -> Answer:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            body = server.answers(request, reply)
            kind = "text/event-stream" if request.get("stream") else "application/json"
            handler.send_response(200)
            handler.send_header("Content-Type", kind)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        return answer

    endpoint = ScriptedEndpoint(answers())
    return endpoint
