"""Any endpoint that speaks OpenAI's chat completions, streamed or not."""

from __future__ import annotations

import copy
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import httpx2

from agent.errors import ModelUnavailable
from agent.events import ToolCall
from agent.models import WINDOW, Delta, Message
from agent.models.answer import Answer, ProviderError
from agent.models.dialect import Dialect, Request
from agent.models.failures import Failures, Refusal
from agent.models.masking import Screen, masked
from agent.models.prices import Prices
from agent.models.retrying import Patience, Pieces, patiently
from agent.models.stream import Stream, WebPage
from agent.models.wire import Exchange

OPENAI = "https://api.openai.com/v1"
LAST_SECONDS = 5.0  # For the usage behind an answer that is complete.
EXCERPT_BYTES, RECORDED_BYTES = 16 << 10, 1 << 20

Write = Callable[[Mapping[str, Any]], None]


class OpenAIModel:
    """A model behind an endpoint; `sees` says whether it takes pictures.

    `api_key` is empty for an endpoint without one. A user and a password in `base_url` are sent
    instead of the key, and shown to nobody.

    Raises:
        ModelUnavailable: `base_url` is no web address, or `api_key` no key.
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
        patience: Patience | None = None,
    ) -> None:
        self._name = name
        url, login = _address(base_url or OPENAI)
        if not (api_key.isascii() and api_key.isprintable()):
            raise ModelUnavailable("OPENAI_API_KEY has characters that no key has. Copy it again.")
        self._url = str(url.copy_with(path=url.path.rstrip("/") + "/chat/completions"))
        self._headers = {
            "Accept": "text/event-stream",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
        }
        pair = ":".join(login)
        if login:
            self._headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        elif api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._secrets = [api_key, *login, pair]
        self._failures = Failures(str(url.copy_with(query=None)), name, self._secrets)
        self.sees, self.window = sees, window
        self._dialect = Dialect(name, sees=sees)
        self._prices = prices or Prices()
        self._patience = patience or Patience()
        self._write: Write | None = None

    @property
    def name(self) -> str:
        return self._name

    def recorded(self, write: Write) -> Self:
        """The same model, that tells of each exchange: what it asked, the status and the answer.

        The answer is the text as it came, up to 1 MB; secrets are masked in all of it.
        """
        model = copy.copy(self)
        model._write = write  # noqa: SLF001 — its own class
        return model

    def reply(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Pieces:
        return patiently(lambda: self._ask(messages, tools), self._patience)

    def _ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Pieces:
        """Ask, and at once again for as long as the endpoint teaches what it does not take."""
        while True:
            request = self._dialect.request(messages, tools)
            try:
                yield from self._ask_once(request, Answer(tools))
            except ProviderError as error:
                if self._dialect.learn(error.status or 0, error.message, request):
                    continue
                overflow = self._dialect.overflow(error.status, error.message)
                raise self._failures.refused(error, overflow=overflow) from None
            return

    def _ask_once(self, request: Request, answer: Answer) -> Pieces:
        exchange = Exchange(
            self._url,
            headers=self._headers,
            body=request.body(),
            patience=self._patience,
        )
        came = _Beginning(RECORDED_BYTES if self._write else EXCERPT_BYTES)
        try:
            with exchange:
                yield from self._listen(exchange, answer, came)
        except WebPage:
            raise self._failures.web_page() from None
        except (httpx2.HTTPError, ValueError) as error:
            if not answer.complete:
                raise self._failures.broken(error, came.data) from None
        finally:
            if self._write:
                self._write(self._told(request, exchange.status, came.data))
        if not answer.complete:
            raise self._failures.broken(None, came.data)
        reply, hide = answer.reply(), Screen(self._secrets).whole
        calls = tuple(
            ToolCall(call.id, hide(call.name), hide(call.arguments)) for call in reply.calls
        )
        yield replace(
            reply,
            text=hide(reply.text),
            reasoning=hide(reply.reasoning),
            calls=calls,
            extra=hide(reply.extra),
            usage=replace(reply.usage, cost=self._prices.cost(reply.usage)),
        )

    def _listen(self, exchange: Exchange, answer: Answer, came: _Beginning) -> Pieces:
        """Take in what comes until nothing follows, and show it."""
        stream, text, thought = Stream(), Screen(self._secrets), Screen(self._secrets)
        last = time.monotonic()
        for data in exchange:
            came.take(data)
            if exchange.status >= 300:
                yield Delta()
                if came.full:
                    break
                continue
            if data:
                last = time.monotonic()
                deltas = [answer.take(chunk) for chunk in stream.feed(data)]
                reasoning = thought.show("".join(delta.reasoning for delta in deltas))
                if reasoning:
                    yield Delta(reasoning=reasoning)
                yield Delta(text.show("".join(delta.text for delta in deltas)))
            else:
                yield Delta()
            if stream.done or (answer.complete and time.monotonic() - last > LAST_SECONDS):
                break
        if exchange.status >= 300:
            raise Refusal(exchange.status, came.data, exchange.headers)
        for chunk in stream.end():
            answer.take(chunk)
        if stream.done:
            answer.done()

    def _told(self, request: Mapping[str, Any], status: int, came: bytes) -> dict[str, Any]:
        """An exchange as it is recorded."""
        said = came.decode("utf-8", "replace")
        hide = Screen(self._secrets).whole
        answer = masked(said, self._secrets) if status >= 300 else hide(said)
        return {"request": hide(request), "status": status, "answer": answer}


class _Beginning:
    """The first bytes of an answer, to tell of it."""

    def __init__(self, size: int) -> None:
        self._data = bytearray()
        self._size = size

    @property
    def data(self) -> bytes:
        return bytes(self._data)

    @property
    def full(self) -> bool:
        return len(self._data) >= self._size

    def take(self, data: bytes) -> None:
        if not self.full:
            self._data += data[: self._size - len(self._data)]


def _address(base_url: str) -> tuple[httpx2.URL, tuple[str, ...]]:
    """A base URL without its user and password, and these, if it has them."""
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        url = httpx2.URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise ModelUnavailable("OPENAI_BASE_URL is no web address like https://example.org/v1.")
    login = (url.username, url.password) if url.userinfo else ()
    return url.copy_with(username=None, password=None), login
