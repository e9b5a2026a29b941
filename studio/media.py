"""Where the studio keeps bytes: one store for uploads, artifacts and workspaces."""

from __future__ import annotations

from django.conf import settings

from studio.stores import Store
from studio.stores.disk import DiskStore


def store() -> Store:
    return DiskStore(settings.MEDIA)
