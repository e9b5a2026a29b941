"""A request over HTTP, and the bytes of its answer as they come.

A run's thread beats while it waits and leaves at once when it is stopped, so it never sits in a
read itself. That does an event loop in a thread of its own: one for the whole process, whose
connections live on from turn to turn and from run to run.
"""

from __future__ import annotations

import asyncio
import http.cookiejar
import logging
import os
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Self

import httpx2

if TYPE_CHECKING:
    from openai import AsyncOpenAI, Omit

from agent.errors import ModelUnavailable
from agent.models import addresses
from agent.models.retrying import HEART_BEAT, Patience

# Their lines hold addresses and headers of answers, and a provider may echo the key in these.
for _name in ("httpx2", "httpcore2", "openai"):
    logging.getLogger(_name).setLevel(logging.WARNING)

ANSWER_BYTES = 64 << 20  # Of an answer with its wrapping: a token of four bytes comes in 200 or so.
ERROR_BYTES = 64 << 10  # Packed: what unpacks from it fits into memory.
AHEAD_BYTES, AHEAD_SECONDS = 1 << 20, 0.01
LAST_SECONDS = 1.0
IDLE_CONNECTIONS, IDLE_SECONDS = 20, 60.0


class Exchange:
    """One request. It is sent on entering a `with`; leaving that early ends it at once.

    `status` and `headers` are the answer's as soon as any of its bytes are there.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes,
        patience: Patience,
    ) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._url, self._sent, self._body = url, headers, body
        self._patience = patience
        self._came: queue.SimpleQueue[bytes | Future[None]] = queue.SimpleQueue()
        self._taken = 0

    def __enter__(self) -> Self:
        self._deadline = time.monotonic() + self._patience.total
        self._loop, client = _network()
        self._reading = asyncio.run_coroutine_threadsafe(self._read(client), self._loop)
        self._reading.add_done_callback(self._came.put)
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        if self._reading.done():
            return
        if kind is None:  # The connection lives on if the last bytes of the answer come soon.
            self._loop.call_soon_threadsafe(
                self._loop.call_later, LAST_SECONDS, self._reading.cancel
            )
        else:
            self._reading.cancel()

    def __iter__(self) -> Iterator[bytes]:
        """The body in pieces as they come; empty ones, at least two a second, while none do.

        Raises:
            httpx2.HTTPError: the connection failed or broke.
            ModelUnavailable: the answer takes too long or is too long, or its address is refused.
        """
        ended: Future[None] | None = None
        while ended is None:
            pieces: list[bytes] = []
            try:
                item = self._came.get(timeout=HEART_BEAT)
                while isinstance(item, bytes):
                    pieces.append(item)
                    item = self._came.get_nowait()
                ended = item
            except queue.Empty:
                pass
            if time.monotonic() > self._deadline:
                minutes = f"{self._patience.total / 60:.3g}"
                raise ModelUnavailable(f"The model's answer was not complete after {minutes} min.")
            data = b"".join(pieces)
            self._taken += len(data)
            if data or not ended:
                yield data
        ended.result()

    async def _read(self, client: AsyncOpenAI) -> None:
        response = await self._opened(client)
        try:
            self.status, self.headers = response.status_code, response.headers
            came = 0
            async for data in response.aiter_bytes():
                came += len(data)
                if came > ANSWER_BYTES:
                    raise ModelUnavailable("The model's answer was longer than 64 MB and was cut.")
                self._came.put(data)
                while came - self._taken > AHEAD_BYTES:
                    await asyncio.sleep(AHEAD_SECONDS)
        finally:
            await response.aclose()

    async def _opened(self, client: AsyncOpenAI) -> httpx2.Response:
        """The answer, of which nothing has been read unless it is an error."""
        import openai

        patience = self._patience
        wait = httpx2.Timeout(patience.idle, connect=patience.connect, pool=patience.connect)
        try:
            # Not `chat.completions.create`: it goes through the whole conversation each time, and
            # reads an event however long it is.
            return await client.post(
                self._url,
                content=self._body,
                cast_to=httpx2.Response,
                stream=True,
                options={"headers": {**_nobody(), **self._sent}, "timeout": wait},
            )
        except openai.APIStatusError as refused:
            return refused.response
        except openai.APIConnectionError as failed:
            raise failed.__cause__ or failed from None


class _Capped(httpx2.AsyncByteStream):
    """The beginning of an error: the client reads such a body to its end before it tells of it."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        came = 0
        async for data in self._body:
            yield data
            came += len(data)
            if came > ERROR_BYTES:
                return

    async def aclose(self) -> None:
        await self._body.aclose()


async def _cap(response: httpx2.Response) -> None:
    if response.is_error and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Capped(response.stream)


_lock = threading.Lock()
_made: tuple[asyncio.AbstractEventLoop, AsyncOpenAI] | None = None


def _network() -> tuple[asyncio.AbstractEventLoop, AsyncOpenAI]:
    """The loop that reads and the client whose connections it keeps."""
    global _made
    with _lock:
        if _made is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="models", daemon=True).start()
            _made = loop, _client()
        return _made


def _client() -> AsyncOpenAI:
    """A client that knows nobody: no key or cookie for one endpoint is sent to another."""
    import openai  # Takes a third of a second, which whoever asks no model need not wait.

    refused = http.cookiejar.DefaultCookiePolicy(allowed_domains=[])
    return openai.AsyncOpenAI(
        api_key="none",
        max_retries=0,
        http_client=httpx2.AsyncClient(
            cookies=http.cookiejar.CookieJar(refused),
            event_hooks={"request": [addresses.check], "response": [_cap]},
            follow_redirects=True,
            limits=httpx2.Limits(
                max_connections=None,
                max_keepalive_connections=IDLE_CONNECTIONS,
                keepalive_expiry=IDLE_SECONDS,
            ),
        ),
    )


def _nobody() -> dict[str, Omit]:
    """Instead of what the client itself would say of who asks."""
    import openai

    return dict.fromkeys(("Authorization", "OpenAI-Organization", "OpenAI-Project"), openai.omit)


def _forget() -> None:
    """A forked process has neither the thread nor a right to the connections."""
    global _made, _lock
    _made, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
