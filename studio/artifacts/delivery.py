"""Bytes of the store on their way to a browser: whole or in parts, once or from its cache.

What is large and can't act may come from the bucket itself, or from nginx.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from typing import BinaryIO
from urllib.parse import quote

from django.conf import settings
from starlette.concurrency import iterate_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from studio.artifacts import bucket
from studio.artifacts.ranges import wanted
from studio.media import store

# Of these the address says all: what comes from there stays the same.
PINNED = f"private, max-age={365 * 24 * 3600}, immutable"
CHANGING = "no-cache"
CHUNK = 256 * 1024
# Linux: read only what is in memory, and rather nothing than wait for the disk.
NOWAIT = getattr(os, "RWF_NOWAIT", None)


async def deliver(
    request: Request, name: str, digest: str, media_type: str, *, cache: str
) -> Response:
    """A blob, or the parts of it that the request asks for, as an attachment if it says so.

    Raises:
        HTTPException: 404 there is no such blob.
    """
    size = await asyncio.to_thread(store().size, digest)
    if size is None:
        raise HTTPException(404)
    tag = f'"{digest}"'
    headers = {"ETag": tag, "Cache-Control": cache}
    if "download" in request.query_params:
        headers["Content-Disposition"] = disposition(name)
    if known(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    headers["Content-Type"] = media_type
    if settings.ACCEL and (path := await asyncio.to_thread(store().path, digest)):
        headers["X-Accel-Redirect"] = settings.ACCEL + str(path.relative_to(settings.MEDIA))
        return Response(headers=headers)
    if size >= bucket.LARGE and bucket.may_lead(request, media_type):
        shown = headers.get("Content-Disposition", "inline")
        if url := await asyncio.to_thread(bucket.address, digest, media_type, shown):
            # Its signature does not last, so it is asked for each time.
            return Response(status_code=302, headers={"Location": url, "Cache-Control": "no-store"})
    headers["Accept-Ranges"] = "bytes"
    parts = None
    if request.method == "GET" and request.headers.get("if-range", tag) == tag:
        asked = request.headers.get("range")
        parts = None if asked is None else wanted(asked, size)
    if parts == []:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
    if parts is not None and len(parts) > 1:
        return several(digest, parts, size, headers)
    part = range(size) if parts is None else parts[0]
    headers["Content-Length"] = str(len(part))
    if request.method == "HEAD":
        return Response(headers=headers)
    if parts is None:
        return StreamingResponse(pieces(digest, part), headers=headers)
    headers["Content-Range"] = content_range(part, size)
    return StreamingResponse(pieces(digest, part), 206, headers)


def known(if_none_match: str, tag: str) -> bool:
    """Whether the browser has these bytes already."""
    tags = [each.strip().removeprefix("W/") for each in if_none_match.split(",")]
    return tag in tags or tags == ["*"]


def content_range(part: range, size: int) -> str:
    return f"bytes {part.start}-{part.stop - 1}/{size}"


def several(digest: str, parts: list[range], size: int, headers: dict[str, str]) -> Response:
    """The parts one after the other, each with a head that says which it is."""
    boundary = secrets.token_hex(16)
    heads = [
        f"\r\n--{boundary}\r\nContent-Type: {headers['Content-Type']}\r\n"
        f"Content-Range: {content_range(part, size)}\r\n\r\n".encode()
        for part in parts
    ]
    end = f"\r\n--{boundary}--\r\n".encode()

    async def body() -> AsyncIterator[bytes | memoryview]:
        for head, part in zip(heads, parts, strict=True):
            yield head
            async for piece in pieces(digest, part):
                yield piece
        yield end

    length = sum(map(len, [*heads, *parts, end]))
    multipart = {
        **headers,
        "Content-Type": f"multipart/byteranges; boundary={boundary}",
        "Content-Length": str(length),
    }
    return StreamingResponse(body(), 206, multipart)


async def pieces(digest: str, part: range) -> AsyncIterator[bytes | memoryview]:
    """The bytes of a part, a bounded piece at a time, without holding up others."""
    file = await asyncio.to_thread(opened, digest)
    if file is None:
        async for chunk in iterate_in_threadpool(store().part(digest, part.start, part.stop)):
            yield chunk
        return
    with file:
        at = part.start
        while at < part.stop:
            count = min(CHUNK, part.stop - at)
            piece: bytes | memoryview | None = from_memory(file, at, count)
            if piece is None:
                piece = await asyncio.to_thread(os.pread, file.fileno(), count, at)
            if not piece:
                # Cut short on the disk: the connection ends before what was promised.
                return
            yield piece
            at += len(piece)
            await asyncio.sleep(0)


def opened(digest: str) -> BinaryIO | None:
    """The file that has the bytes; none if they are elsewhere, or were moved just now."""
    path = store().path(digest)
    with contextlib.suppress(FileNotFoundError):
        return path.open("rb", buffering=0) if path else None
    return None


def from_memory(file: BinaryIO, at: int, count: int) -> memoryview | None:
    """What the kernel has at hand: faster than asking a thread to wait for a disk that it won't."""
    if NOWAIT is None:
        return None
    buffer = bytearray(count)
    try:
        got = os.preadv(file.fileno(), [buffer], at, NOWAIT)
    except OSError:
        # Nothing of it is in memory, or the file system can't tell.
        return None
    return memoryview(buffer)[:got]


def disposition(name: str) -> str:
    """`attachment` under this name, in one line whatever the name is (RFC 6266)."""
    plain = "".join(
        char if char.isascii() and char.isprintable() and char not in '"\\%' else "_"
        for char in name
    )
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
