"""Large media straight from the bucket, if there is one, for the app's pages and as downloads.

Only what no browser runs is fetched from there, where our headers are not: pictures, video and
sound for the app's own elements, and files to be saved. Whatever a page made here loads comes from
its own origin, or else it could neither read what it draws and plays, nor be kept from the
bucket's host by its policy; so does all that asks in a way we don't know.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from starlette.requests import Request

from studio.artifacts.kinds import KINDS
from studio.media import store

# For less it is quicker to answer, and the browser keeps what it got.
LARGE = 1 << 20
# Nobody can take such an address back. A player that asks there for more, later than this, comes
# to us again (`static/js/again.js`).
LIFETIME = timedelta(minutes=1)
SHOWN = {media_type for kind, media_type in KINDS.values() if kind in ("image", "video", "audio")}
SAVED = SHOWN | {"application/pdf", "application/zip"}
ELEMENTS = ("image", "video", "audio")


def may_lead(request: Request, media_type: str) -> bool:
    """Whether the request is one that may be answered with an address in the bucket."""
    headers = request.headers
    # What a page reads, other than shows, is asked for with its origin.
    # An address in the bucket would outlive the share that it was given through.
    if "share" in request.scope:
        return False
    if not settings.S3_BUCKET or request.method != "GET" or "origin" in headers:
        return False
    if headers.get("sec-fetch-site", "same-origin") == "same-origin":
        return False
    dest = headers.get("sec-fetch-dest")
    if "download" in request.query_params:
        return dest == "document" and media_type in SAVED
    return dest in ELEMENTS and media_type in SHOWN


def address(digest: str, media_type: str, disposition: str) -> str | None:
    """Where the browser finds the bytes, if the app's policy lets it go there."""
    seconds = int(LIFETIME.total_seconds())
    url = store().address(digest, media_type=media_type, disposition=disposition, seconds=seconds)
    return url if url and url.startswith(settings.BUCKET_SOURCE) else None
