"""A run as server-sent events: what its socket tells, over plain HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from studio.runs.consumers import RunConsumer
from studio.sockets import OVER

Scope = dict[str, Any]

MEDIA_TYPE = "text/event-stream"
# So long nothing is said without a sign of life: proxies cut off who is silent.
BEAT = 10.0
# How long a reader that was cut off waits before it asks again, in ms.
RETRY = b"retry: 1000\n\n"


async def told(scope: Scope) -> AsyncGenerator[bytes]:
    """The events of a run, then its news, until it is over; `scope` is that of a run's socket.

    The socket's own consumer does the telling, with a queue for one message at its end: so
    both say the same, and who reads slowly is not told faster.
    """
    inbox: asyncio.Queue[Scope] = asyncio.Queue()
    outbox: asyncio.Queue[Scope] = asyncio.Queue(1)
    inbox.put_nowait({"type": "websocket.connect"})
    consumer = asyncio.create_task(RunConsumer.as_asgi()(scope, inbox.get, outbox.put))
    try:
        yield RETRY
        while not consumer.done():
            try:
                message = await asyncio.wait_for(outbox.get(), BEAT)
            except TimeoutError:
                yield b":\n\n"
                continue
            if message["type"] == "websocket.close":
                if message.get("code") == OVER:
                    yield b"event: end\ndata: {}\n\n"
                return
            if message["type"] == "websocket.send":
                for frame in frames(json.loads(message["text"])):
                    yield frame
    finally:
        inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait([consumer])


def frames(message: dict[str, Any]) -> Iterator[bytes]:
    """A socket's message, event by event: only those of the journal have a number."""
    for event in message.get("events", ()):
        yield frame(event["kind"], event, b"id: %d\n" % event["seq"])
    if "run" in message:
        yield frame("run", message["run"])
    if "hint" in message:
        yield frame("hint", message["hint"])


def frame(kind: str, data: dict[str, Any], number: bytes = b"") -> bytes:
    # JSON has no line break outside of its strings, and none that is not escaped inside.
    text = json.dumps(data, ensure_ascii=False)
    return number + f"event: {kind}\ndata: {text}\n\n".encode()
