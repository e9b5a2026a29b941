"""Problem details, as RFC 9457 has them: one shape for everything that goes wrong.

`code` is for programs and stays as it is, `detail` is for people and in their language.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

MEDIA_TYPE = "application/problem+json"

TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    507: "Insufficient Storage",
}


def text(status: int, code: str, detail: str, errors: Sequence[dict[str, str]] = ()) -> str:
    """A problem as JSON; `errors` say `where` in the request something is wrong, and what."""
    about = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "code": code,
        "detail": detail,
        "errors": list(errors),
    }
    return json.dumps(about, ensure_ascii=False)
