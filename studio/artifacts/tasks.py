"""What travels through the broker to whoever packs pages: a key. Losing it harms nothing."""

from __future__ import annotations

from celery import shared_task


@shared_task
def pack(key: int) -> None:
    # Imported here because only inspectors need the engine's library.
    from studio.artifacts import packing

    packing.pack(key)
