import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted(studio) -> None:
    """Keys of shares come again in each test; the cache of the last one is still there."""
    cache.clear()
