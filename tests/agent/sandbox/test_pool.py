"""Containers that wait ready: never shared, never used twice, none left behind."""

import subprocess
import sys
import time
import uuid
from functools import partial

import pytest

from agent import DockerSandbox
from agent.sandbox import Exited
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import INSTALLATION_LABEL, start
from agent.sandbox.pool import Pool

pytestmark = pytest.mark.engine


@pytest.fixture
def installation(engine):
    name = uuid.uuid4().hex
    yield name
    assert boxes(engine, name, all=True) == []


@pytest.fixture
def pool(installation):
    with Pool(partial(start, installation=installation), Confinement(), 2) as pool:
        wait_for(lambda: pool.ready() == 2)
        yield pool


# What a worker does that is about to be killed.
HOLD_A_POOL = """
import sys, threading
from functools import partial
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import start
from agent.sandbox.pool import Pool

with Pool(partial(start, installation=sys.argv[1]), Confinement(), 2):
    threading.Event().wait()
"""


def boxes(engine, installation, **options):
    """The containers of an installation; some may go while the engine lists them."""
    label = f"{INSTALLATION_LABEL}={installation}"
    return engine.containers.list(filters={"label": label}, ignore_removed=True, **options)


def wait_for(happened, seconds=30):
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_takes_a_waiting_container_and_another_takes_its_place(pool, installation, engine):
    waiting = {box.name for box in boxes(engine, installation)}
    with DockerSandbox(warm=pool.take) as first, DockerSandbox(warm=pool.take) as second:
        assert {first.name, second.name} == waiting
        assert list(first.run("true", 5)) == [Exited(0)]
        wait_for(lambda: pool.ready() == 2)
    wait_for(lambda: len(boxes(engine, installation)) == 2)
    left = {box.name for box in boxes(engine, installation)}
    assert not left & waiting


def test_an_empty_pool_and_another_confinement_start_a_container_of_their_own(pool, installation):
    small = Confinement(processes=64)
    with DockerSandbox(small, installation=installation, warm=pool.take) as sandbox:
        assert pool.ready() == 2
        assert sandbox.confinement == small
        with (
            DockerSandbox(warm=pool.take),
            DockerSandbox(warm=pool.take),
            DockerSandbox(installation=installation, warm=lambda _: None) as cold,
        ):
            assert list(cold.run("true", 5)) == [Exited(0)]


def test_a_waiting_container_that_died_is_not_given_to_a_run(pool, installation, engine):
    for box in boxes(engine, installation):
        box.kill()
    with DockerSandbox(installation=installation, warm=pool.take) as sandbox:
        assert list(sandbox.run("true", 5)) == [Exited(0)]


def test_leaving_removes_all_that_wait_and_those_that_are_just_being_started(installation, engine):
    with Pool(partial(start, installation=installation), Confinement(), 6) as pool:
        wait_for(lambda: pool.ready() >= 2)
    assert boxes(engine, installation, all=True) == []


def test_a_process_that_is_killed_leaves_no_waiting_container(installation, engine):
    def running():
        return len(boxes(engine, installation))

    command = [sys.executable, "-c", HOLD_A_POOL, installation]
    with subprocess.Popen(command) as process:
        try:
            wait_for(lambda: running() == 2)
        finally:
            process.kill()
    wait_for(lambda: not boxes(engine, installation, all=True), 10)
