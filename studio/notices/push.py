"""Web Push: a message to a browser through its maker's service, which can't read it (RFC 8291)."""

from __future__ import annotations

import base64
import json
from email.utils import parseaddr
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import http_ece
import httpx
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from studio.notices.models import Subscription

SECONDS = 10.0
KEPT_SECONDS = 24 * 3600
GONE = (404, 410)
# How many keys there are with P-256 (FIPS 186-4, D.1.2.3).
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class NotDelivered(Exception):
    """The push service did not take the message; it may later."""


class Unusable(ValueError):
    """What a browser gave can't be used to reach it; the message says why."""


@cache
def _pair(secret: str) -> Vapid02:
    """The keys by which push services know this installation: the same wherever its secret is."""
    # More bits than the group has, so that no number is likelier than another.
    bits = HKDF(SHA256(), length=48, salt=None, info=b"studio.notices.push").derive(secret.encode())
    number = int.from_bytes(bits, "big") % (ORDER - 1) + 1
    return Vapid02(ec.derive_private_key(number, ec.SECP256R1()))


def public_key() -> str:
    """What a browser needs to subscribe, base64url."""
    public = _pair(settings.SECRET_KEY).public_key
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def checked(given: Any) -> tuple[str, str, str]:
    """Endpoint, key and secret of what a browser calls its subscription.

    Raises:
        Unusable: something in it is not what it should be, or its service is not one we know.
    """
    match given:
        case {"endpoint": str(endpoint), "keys": {"p256dh": str(key), "auth": str(secret)}}:
            pass
        case _:
            raise Unusable("This is no subscription.")
    if len(endpoint) > 1000 or len(key) > 100 or len(secret) > 50:
        raise Unusable("This is no subscription.")
    if not known(endpoint):
        raise Unusable("This push service is not one that the studio may reach.")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
        fits = len(decoded(secret)) == 16
    except (ValueError, UnsupportedAlgorithm) as error:
        raise Unusable("The keys of this subscription are broken.") from error
    if not fits:
        raise Unusable("The keys of this subscription are broken.")
    return endpoint, key, secret


def known(endpoint: str) -> bool:
    """Whether it is a service of a browser's maker: a stranger's address may lead anywhere."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if f"{parts.scheme}://{host}:{port}" in settings.PUSH_SERVICES:
        return True
    return (
        parts.scheme == "https"
        and port in (None, 443)
        and not parts.username
        and any(host == name or host.endswith(f".{name}") for name in settings.PUSH_SERVICES)
    )


def send(subscription: Subscription, message: dict[str, str]) -> None:
    """Hand the message to the push service; a browser that has unsubscribed is forgotten.

    Raises:
        NotDelivered: it was not taken.
    """
    parts = urlsplit(subscription.endpoint)
    body = http_ece.encrypt(
        json.dumps(message, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(subscription.key),
        auth_secret=decoded(subscription.secret),
        version="aes128gcm",
    )
    writer = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    claims = {"sub": f"mailto:{writer}", "aud": f"{parts.scheme}://{parts.netloc}"}
    headers = {
        **_pair(settings.SECRET_KEY).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_SECONDS),
    }
    try:
        answer = httpx.post(subscription.endpoint, content=body, headers=headers, timeout=SECONDS)
    except httpx.HTTPError as error:
        raise NotDelivered(f"{parts.hostname}: {type(error).__name__}") from error
    if answer.status_code in GONE:
        subscription.delete()
    elif answer.is_error:
        raise NotDelivered(f"{parts.hostname} answered {answer.status_code}")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
