"""One attempt to deliver: a signed POST, to the very address that was looked up and allowed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import httpx2
from django.core.serializers.json import DjangoJSONEncoder

from studio.api import addresses, signing
from studio.api.models import Delivery

# For all of an attempt, however slowly an answer drips.
SECONDS = 10


class NotDelivered(Exception):
    """There was no answer; the message says why."""


def send(row: Delivery) -> int:
    """Post a delivery; the status that came back.

    Raises:
        NotDelivered: none did.
        Unreadable: the secret can't be read.
    """
    body = json.dumps(payload(row), cls=DjangoJSONEncoder, ensure_ascii=False).encode()
    secret = row.webhook.signing_secret
    headers = {
        "content-type": "application/json",
        "user-agent": "Sandbox-Studio",
        **signing.headers(secret, str(row.pk), int(time.time()), body),
    }
    return posted(row.webhook.url, body, headers)


def posted(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post to an address of a user's; the status that came back.

    Raises:
        NotDelivered: none did, or the address is not allowed.
    """
    try:
        return asyncio.run(asyncio.wait_for(_post(url, body, headers), SECONDS))
    except addresses.NotAllowed as error:
        raise NotDelivered(str(error)) from error
    except TimeoutError as error:
        raise NotDelivered(f"It did not answer within {SECONDS} s.") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise NotDelivered(f"It can't be reached: {type(error).__name__}.") from error


def payload(row: Delivery) -> dict[str, Any]:
    """What is told: enough to decide whether to ask the API for more."""
    run = row.run
    return {
        "type": "run.ended",
        "timestamp": run.ended,
        "data": {
            "run": str(run.pk),
            "number": run.number,
            "project": run.project_id,
            "title": run.project.title,
            "prompt": run.prompt[:1000],
            "reason": run.reason,
            "summary": run.summary[:4000],
            "turns": run.turns,
            "tokens_in": run.tokens_in,
            "tokens_out": run.tokens_out,
            "cost": run.cost,
        },
    }


async def _post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """The name is looked up once: what was allowed is what is connected to."""
    if not addresses.plausible(url):
        raise addresses.NotAllowed("Its address is not allowed (any more).")
    target = httpx2.URL(url)
    host = target.raw_host.decode("ascii")
    port = target.port or (443 if target.scheme == "https" else 80)
    request = httpx2.Request(
        "POST",
        target.copy_with(host=await addresses.resolved(host, port)),
        content=body,
        headers={"host": target.netloc.decode("ascii"), **headers},
        # Its certificate is the name's.
        extensions={"sni_hostname": host},
    )
    # Neither through a proxy, which would look the name up again, nor with a password of ours.
    async with httpx2.AsyncClient(trust_env=False, timeout=SECONDS) as client:
        answer = await client.send(request, stream=True, follow_redirects=False)
        # Nobody reads what it says.
        await answer.aclose()
        return answer.status_code
