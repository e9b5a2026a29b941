"""Any endpoint that speaks OpenAI's chat completions, streamed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import httpx2
import openai

from agent.errors import ModelUnavailable
from agent.models import WINDOW, Delta, Message, Reply, addresses
from agent.models.answer import Answer
from agent.models.dialect import Dialect
from agent.models.masking import masked
from agent.models.prices import Prices

# Their lines hold addresses and headers of answers, and a provider may echo the key in these.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

HEART_BEAT = 0.4
CONNECT_SECONDS, IDLE_SECONDS = 20.0, 180.0
RETRIES = 3
REASON_CHARS, DETAIL_CHARS = 300, 10_000


class OpenAIModel:
    """A model behind an endpoint; `sees` says whether it takes pictures.

    `api_key` is empty for an endpoint without one. A user and a password in `base_url` are sent
    instead of the key, and shown to nobody.

    Raises:
        ModelUnavailable: `base_url` is no web address.
    """

    def __init__(
        self,
        name: str,
        *,
        api_key: str,
        base_url: str | None = None,
        sees: bool = False,
        window: int = WINDOW,
        prices: Prices | None = None,
    ) -> None:
        self._name = name
        self._key = api_key
        self._base_url, self._login = _address(base_url)
        self.sees, self.window = sees, window
        self._dialect = Dialect(name, sees=sees)
        self._prices = prices or Prices()

    @property
    def name(self) -> str:
        return self._name

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        request = self._dialect.request(messages, tools)
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
                    answer = Answer()
                    chunks = await client.chat.completions.create(**request)
                    try:
                        async with chunks:
                            async for chunk in chunks:
                                yield answer.take(chunk.to_dict())
                    except (ValueError, httpx2.TransportError):
                        continue
                    if answer.complete:
                        yield self._priced(answer.reply())
                        return
            raise ModelUnavailable(f"{self._name} broke off its answer, twice.")
        except openai.OpenAIError as error:
            raise ModelUnavailable(self._explained(error)) from None

    def _priced(self, reply: Reply) -> Reply:
        return replace(reply, usage=replace(reply.usage, cost=self._prices.cost(reply.usage)))

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


async def _closed(task: asyncio.Task[Any], stream: AsyncGenerator[Any, None]) -> None:
    """End a request inside its own loop, whether or not it is being waited for."""
    task.cancel()
    await asyncio.wait({task})
    await stream.aclose()


async def _done(task: asyncio.Task[Any]) -> bool:
    done, _ = await asyncio.wait({task}, timeout=HEART_BEAT)
    return bool(done)
