"""What a viewer's page may do beyond the other pages of the app."""

from __future__ import annotations

from typing import Any, cast

from csp.constants import NONCE
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# A model's loader finds its library by an import map, and reads pictures that lie inside the file.
POLICIES = {"model": {"script-src": [NONCE], "connect-src": ["blob:"], "img-src": ["blob:"]}}

# Here the arrow keys seek or turn, so they don't lead to the next file.
OWN_ARROWS = ("video", "audio", "midi", "model")


def page(request: HttpRequest, kind: str, context: dict[str, Any]) -> HttpResponse:
    """The viewer's page, allowed what its kind needs."""

    def rendered(request: HttpRequest) -> HttpResponse:
        return render(
            request, "artifacts/detail.html", {**context, "own_arrows": kind in OWN_ARROWS}
        )

    return cast(HttpResponse, csp_update(POLICIES.get(kind, {}))(rendered)(request))
