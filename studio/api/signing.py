"""Signatures of deliveries, as the Standard Webhooks specification has them.

`webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def new_secret() -> str:
    """192 random bits in the specification's form."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def headers(secret: str, delivery: str, timestamp: int, body: bytes) -> dict[str, str]:
    """What a receiver needs in order to know that it was us, and when."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{delivery}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }
