"""The password of a share: asked for once in half a day, and not to be guessed."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, get_cookie_signer
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from studio.sharing.models import Share

logger = logging.getLogger(__name__)

COOKIE = "share"
LIFETIME = timedelta(hours=12)
# How many wrong tries there are in how many seconds, of one address and of all together.
OF_ONE, OF_ALL = (5, 60), (100, 3600)


class Refused(Exception):
    """The password does not open it; the message is for the visitor."""

    status = 403


class TooMany(Refused):
    status = 429


def unlocked(share: Share, cookie: str | None) -> bool:
    """Whether a share has no password, or the visitor has given it."""
    if not share.password:
        return True
    signer = get_cookie_signer(salt=_salt(share))
    try:
        return signer.unsign(cookie or "", max_age=LIFETIME) == COOKIE
    except BadSignature:
        return False


def attempt(request: HttpRequest, share: Share) -> None:
    """Compare what a visitor typed with the password.

    Raises:
        Refused: it is another one.
        TooMany: nobody looks at it for the time being.
    """
    everybodys = f"unlock:{share.pk}"
    mine = f"{everybodys}:{request.META.get('REMOTE_ADDR', '')}"
    if too_many(mine, *OF_ONE) or too_many(everybodys, *OF_ALL):
        raise TooMany(_("Too many tries. Wait a little, then try again."))
    if not share.has_password(request.POST.get("password", "")[:128]):
        raise Refused(_("That is not the password."))
    # Who knows it has not guessed: many may come at once, and from one address.
    for key in (mine, everybodys):
        take_back(key)


def remember(response: HttpResponse, share: Share, path: str) -> None:
    """Let the visitor in again for a while, at this path: the cookie is of use there only."""
    response.set_cookie(
        COOKIE,
        get_cookie_signer(salt=_salt(share)).sign(COOKIE),
        max_age=LIFETIME,
        path=path,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )


def _salt(share: Share) -> str:
    # A new password has another edition: what was opened with the old one is shut.
    return f"studio.sharing.{share.pk}.{share.edition}"


def take_back(key: str) -> None:
    """Count one less, if anybody still counts."""
    with suppress(ValueError, RedisError):
        cache.decr(key)


def too_many(key: str, most: int, seconds: int) -> bool:
    """Count one more, for all processes; whether there were too many, or nobody can count."""
    try:
        return not cache.add(key, 1, seconds) and cache.incr(key) > most
    except ValueError:  # It ran out just now.
        return False
    except RedisError as error:
        logger.error("Tries of passwords can't be counted: %s", error)
        return True
