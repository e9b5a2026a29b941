"""Who asks: told by a bearer token, and by nothing else.

A cookie opens nothing here, so no page of another site can ask in somebody's name.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from studio.api import throttling
from studio.api.models import Scope, Token
from studio.web import UserRequest


class Request(UserRequest):
    """A request that came with a valid token; `user` is the token's."""

    auth: Token


class Bearer(HttpBearer):
    """A token of the user's settings page, such as `ss_…`."""

    openapi_description = "A token of the settings page."

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        """The token; what changes something takes one with the scope for it.

        Raises:
            TooManyRequests: its user has to wait.
            PermissionDenied: it is good for reading only.
        """
        found = Token.objects.find(token)
        if found is None:
            return None
        throttling.count(found.user)
        if request.method != "GET" and found.scope != Scope.WRITE:
            raise PermissionDenied(_("This token can read only. Make one that can change things."))
        request.user = found.user
        return found
