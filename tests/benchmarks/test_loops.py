"""Whole runs against the scripted endpoint, and the image that peers run in."""

import pytest

from agent.sandbox.docker import engine
from benchmarks import loops
from benchmarks.engine import plain_image
from benchmarks.server import Endpoint
from benchmarks.turns import turns_of

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_a_run_makes_a_request_a_turn_and_one_to_submit():
    with Endpoint() as endpoint:
        record = loops.run(endpoint, turns_of("echo {}", 3))
    assert len(record.bodies) == 4
    assert len(record.costs) == 3
    assert '"2' in record.bodies[-1]


def test_the_peers_image_has_no_guest_and_is_removed():
    with plain_image() as tag, engine() as client:
        config = client.images.get(tag).attrs["Config"]
        assert not config["Entrypoint"]
        assert config["User"] == "0"
    with engine() as client:
        assert not client.images.list(tag)
