"""Any endpoint that speaks OpenAI's chat completions, streamed."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai

from agent.errors import ModelUnavailable
from agent.events import ToolCall, Usage
from agent.models import Delta, Message, Reply, addresses
from agent.models.masking import masked

# Their lines hold addresses and headers of answers, and a provider may echo the key in these.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

HEART_BEAT = 0.4
CONNECT_SECONDS, IDLE_SECONDS = 20.0, 180.0
RETRIES = 3
REPLY_CHARS = 16 << 20
REASON_CHARS, DETAIL_CHARS = 300, 10_000


class OpenAIModel:
    """A model behind an endpoint; `sees` says whether it takes pictures.

    `api_key` is empty for an endpoint without one. A user and a password in `base_url` are sent
    instead of the key, and shown to nobody.

    Raises:
        ModelUnavailable: `base_url` is no web address.
    """

    def __init__(
        self, name: str, *, api_key: str, base_url: str | None = None, sees: bool = False
    ) -> None:
        self._name = name
        self._key = api_key
        self._base_url, self._login = _address(base_url)
        self._sees = sees

    @property
    def name(self) -> str:
        return self._name

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        request = {
            "model": self._name,
            "messages": [part for message in messages for part in self._wire(message)],
            "tools": list(tools),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        with asyncio.Runner() as runner:
            stream = self._stream(request)
            try:
                while True:
                    task = runner.get_loop().create_task(anext(stream, None))
                    while not runner.run(_done(task)):
                        yield Delta()
                    item = task.result()
                    if item is None:
                        return
                    yield item
            finally:
                runner.run(_closed(task, stream))

    async def _stream(self, request: Mapping[str, Any]) -> AsyncGenerator[Delta | Reply, None]:
        """The pieces of one answer; an answer that breaks off is asked for once more."""
        try:
            async with openai.AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self._base_url,
                max_retries=RETRIES,
                timeout=openai.Timeout(IDLE_SECONDS, connect=CONNECT_SECONDS),
                http_client=openai.DefaultAsyncHttpxClient(
                    auth=self._login, event_hooks={"request": [addresses.check]}
                ),
            ) as client:
                for _ in range(2):
                    answer = _Answer()
                    chunks = await client.chat.completions.create(**request)
                    try:
                        async for delta in answer.read(chunks):
                            yield delta
                    except (ValueError, httpx2.TransportError):
                        continue
                    if answer.complete:
                        yield answer.reply()
                        return
            raise ModelUnavailable(f"{self._name} broke off its answer, twice.")
        except openai.OpenAIError as error:
            raise ModelUnavailable(self._explained(error)) from None

    def _explained(self, error: Exception) -> str:
        """What happened and what the operator can do, without the key."""
        where = (self._base_url or "the OpenAI endpoint").partition("?")[0]
        said = str(getattr(error, "message", error))[:DETAIL_CHARS]
        secrets = [self._key, *(self._login or ()), ":".join(self._login or ())]
        detail = masked(said, secrets)[:REASON_CHARS]
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return f"{where} refused the key. Check OPENAI_API_KEY. ({detail})"
            case openai.NotFoundError():
                return f"{where} knows no model {self._name!r}. Check STUDIO_MODEL. ({detail})"
            case openai.APITimeoutError():
                return f"{where} did not answer in time. Try again later. ({detail})"
            case openai.APIConnectionError():
                return f"{where} cannot be reached. Check OPENAI_BASE_URL and that it runs."
            case openai.RateLimitError():
                return f"{where} is busy or the quota is used up. Try again later. ({detail})"
            case _:
                return f"{where} answered with an error: {detail}"

    def _wire(self, message: Message) -> list[dict[str, Any]]:
        """A message as the endpoint wants it; pictures go into a user message behind it."""
        match message.role:
            case "assistant":
                calls = [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    }
                    for call in message.calls
                ]
                wire: dict[str, Any] = {"role": "assistant", "content": message.text}
                if calls:
                    wire["tool_calls"] = calls
                return [wire]
            case "tool":
                text = _whole(message.text)
                if message.images and not self._sees:
                    text += "\n[You cannot see pictures; `check` gives facts about them.]"
                answer = {"role": "tool", "tool_call_id": message.call, "content": text}
                return [answer, *self._pictures(message.images)]
            case role:
                return [{"role": role, "content": message.text}]

    def _pictures(self, images: Sequence[bytes]) -> list[dict[str, Any]]:
        if not images or not self._sees:
            return []
        parts = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]
        return [{"role": "user", "content": parts}]


def _address(base_url: str | None) -> tuple[str | None, tuple[str, str] | None]:
    """A base URL without its user and password, and these."""
    if base_url is None:
        return None, None
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        url = httpx2.URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise ModelUnavailable("OPENAI_BASE_URL is no web address like https://example.org/v1.")
    login = (url.username, url.password) if url.userinfo else None
    return str(url.copy_with(username=None, password=None)), login


def _data_url(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


async def _closed(task: asyncio.Task[Any], stream: AsyncGenerator[Any, None]) -> None:
    """End a request inside its own loop, whether or not it is being waited for."""
    task.cancel()
    await asyncio.wait({task})
    await stream.aclose()


async def _done(task: asyncio.Task[Any]) -> bool:
    done, _ = await asyncio.wait({task}, timeout=HEART_BEAT)
    return bool(done)


def _whole(text: str) -> str:
    """Text that can be encoded: halves of surrogate pairs joined, lonely ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class _Answer:
    """An answer as it is put together from its pieces."""

    text: str = ""
    reasoning: str = ""
    calls: dict[int, _Call] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    complete: bool = False

    async def read(self, chunks: openai.AsyncStream[Any]) -> AsyncGenerator[Delta, None]:
        """Take in the chunks of a stream, passing on the text."""
        async with chunks:
            async for chunk in chunks:
                if usage := getattr(chunk, "usage", None):
                    self.usage = _usage(usage)
                for choice in (chunk.choices or [])[:1]:
                    delta = choice.delta
                    self.complete = self.complete or choice.finish_reason is not None
                    if delta is None:
                        continue
                    self.reasoning += getattr(delta, "reasoning_content", None) or ""
                    self._take_calls(delta.tool_calls or [])
                    if delta.content:
                        self.text += delta.content
                        yield Delta(_whole(delta.content))
                if self._chars() > REPLY_CHARS:
                    raise ModelUnavailable("The model's answer was longer than 16 MB and was cut.")

    def _take_calls(self, pieces: Sequence[Any]) -> None:
        for piece in pieces:
            position = piece.index if piece.index is not None else len(self.calls)
            call = self.calls.setdefault(position, _Call())
            call.id = piece.id or call.id
            if piece.function is not None:
                call.name += piece.function.name or ""
                call.arguments += piece.function.arguments or ""

    def _chars(self) -> int:
        calls = sum(len(call.arguments) for call in self.calls.values())
        return len(self.text) + len(self.reasoning) + calls

    def reply(self) -> Reply:
        """The finished turn."""
        calls = tuple(
            ToolCall(call.id, call.name, _whole(call.arguments))
            for _, call in sorted(self.calls.items())
        )
        return Reply(_whole(self.text), _whole(self.reasoning), calls, self.usage)


def _usage(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        input=usage.prompt_tokens or 0,
        output=usage.completion_tokens or 0,
        cached=getattr(details, "cached_tokens", None) or 0,
    )
