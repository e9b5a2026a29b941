"""A page as it is given out for pointing at it: with a script that tells what was clicked.

The script runs where the page's own do, and can do what they can: nothing it says is believed.
"""

from __future__ import annotations

import asyncio
from functools import cache

from django.conf import settings
from starlette.exceptions import HTTPException
from starlette.responses import Response

from studio.media import store

MOST_BYTES = 16 << 20


async def with_picker(digest: str) -> Response:
    """The page with these bytes.

    Raises:
        HTTPException: 404 it is not there, or larger than anybody would point at.
    """
    page = await asyncio.to_thread(_page, digest)
    if page is None:
        raise HTTPException(404)
    headers = {"Cache-Control": "no-store"}
    return Response(page + _script(), media_type="text/html", headers=headers)


def _page(digest: str) -> bytes | None:
    size = store().size(digest)
    return None if size is None or size > MOST_BYTES else b"".join(store().open(digest))


@cache
def _script() -> bytes:
    text = (settings.BASE_DIR / "static" / "js" / "artifact" / "pick.js").read_bytes()
    return b"\n<script>" + text + b"</script>\n"
