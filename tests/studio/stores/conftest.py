"""A bucket on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from moto.server import ThreadedMotoServer


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of a server that speaks like S3."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a new bucket at `s3_server`; the environment has keys for it."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "alice")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of wonderland")
    name = f"studio-{abs(hash(request.node.nodeid))}"
    boto3.client("s3", endpoint_url=s3_server, region_name="us-east-1").create_bucket(Bucket=name)
    return name
