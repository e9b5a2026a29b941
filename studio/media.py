"""Where the studio keeps bytes: one store for uploads, artifacts and workspaces."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from studio.stores import Store
from studio.stores.disk import DiskStore
from studio.stores.s3 import S3Store


def store() -> Store:
    if settings.S3_BUCKET:
        return bucket()
    return DiskStore(settings.MEDIA)


def bucket() -> S3Store:
    """The store in the bucket that the settings name; connections to it are kept."""
    return _bucket(settings.S3_BUCKET, settings.MEDIA, settings.S3_ENDPOINT, settings.S3_REGION)


@lru_cache(maxsize=1)
def _bucket(name: str, spool: Path, endpoint: str, region: str) -> S3Store:
    return S3Store(name, spool, endpoint=endpoint, region=region)
