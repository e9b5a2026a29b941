"""Secrets at rest: readable with the installation's secret key only."""

from __future__ import annotations

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class Unreadable(Exception):
    """The secret key is another one than when this was written."""


def encrypted(secret: str) -> str:
    return _fernet(_keys()).encrypt(secret.encode()).decode()


def decrypted(token: str) -> str:
    """The secret.

    Raises:
        Unreadable: it can't be had any more.
    """
    try:
        return _fernet(_keys()).decrypt(token).decode()
    except InvalidToken:
        raise Unreadable from None


def _keys() -> tuple[str, ...]:
    """The first one writes; earlier ones still read."""
    return (settings.SECRET_KEY, *map(str, settings.SECRET_KEY_FALLBACKS))


@cache
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key)) for key in keys])


def _derived(key: str) -> bytes:
    # As when only keys of endpoints were kept: with another name nothing could be read any more.
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"studio.endpoints")
    return base64.urlsafe_b64encode(derivation.derive(key.encode()))
