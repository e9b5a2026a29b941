"""The bucket that the settings name."""

from __future__ import annotations

import pytest
from django.core.checks import run_checks

from studio.media import store
from studio.stores.disk import DiskStore
from studio.stores.s3 import S3Store


def problems() -> list[tuple[str, str]]:
    return [(message.id, message.msg) for message in run_checks()]


def test_a_bucket_is_the_store_once_it_is_named(settings, bucket: str, s3_server: str) -> None:
    assert isinstance(store(), DiskStore)
    settings.S3_BUCKET, settings.S3_ENDPOINT, settings.S3_REGION = bucket, s3_server, "us-east-1"
    assert problems() == []
    assert isinstance(store(), S3Store)
    assert b"".join(store().open(store().put([b"hello"]).digest)) == b"hello"
    assert not [path for path in settings.MEDIA.rglob("*") if path.is_file()]


def test_half_a_bucket_is_an_error(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.S3_ENDPOINT = "http://127.0.0.1:9"
    assert [name for name, _ in problems()] == ["studio.E007"]
    settings.S3_BUCKET = "studio"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "alice")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY", raising=False)
    ((name, told),) = problems()
    assert name == "studio.E007"
    assert "only one" in told


def test_a_bucket_that_is_not_there_is_an_error_that_says_so(
    settings, bucket: str, s3_server: str
) -> None:
    settings.S3_BUCKET, settings.S3_ENDPOINT = "elsewhere", s3_server
    settings.S3_REGION = "us-east-1"
    ((name, told),) = problems()
    assert name == "studio.E008"
    assert "'elsewhere' can't be used: " in told
    assert "NoSuchBucket" in told
