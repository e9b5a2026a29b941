"""What travels through the broker: ids, never data."""

from __future__ import annotations

import uuid

from celery import shared_task


@shared_task
def deliver(key: str) -> None:
    from studio.api import announcing

    announcing.deliver(uuid.UUID(key))


@shared_task
def deliver_due() -> None:
    from studio.api import announcing

    announcing.offer_due()
