"""What the model is told of its computer."""

import pytest

from agent.conversation import system_prompt
from agent.limits import Limits
from agent.sandbox.confinement import Confinement


def told(**confinement):
    return system_prompt(Limits(), Confinement(**confinement), sees=False)


def test_the_same_confinement_and_limits_give_the_same_bytes():
    assert told() == told() == system_prompt(Limits(), Confinement(), sees=False)
    assert told() != told(network="packages") != told(network="open") != told()


def test_the_limits_are_those_of_the_sandbox():
    text = told(memory=3 << 29, workspace=512 << 20, cpus=1.0, processes=99)
    assert "1.5 GB of memory in all, 512 MB of disk in `/workspace` and 384 MB in `/tmp`" in text
    assert " 1 core, 99 processes," in text
    assert " 2.5 cores," in told(cpus=2.5)


@pytest.mark.parametrize(
    ("profile", "network", "has", "lacks"),
    [
        ("sealed", "none", "There is no network", "install`"),
        ("workshop", "none", "There is no network", "install`"),
        ("sealed", "packages", "so `pip install` and `npm install` work, and nothing", "apt-get"),
        ("workshop", "packages", "so `apt-get install`", "There is no network"),
        ("sealed", "open", "There is a network; `pip install`", "apt-get"),
        ("workshop", "open", "There is a network; `apt-get install`", "nothing else"),
    ],
)
def test_what_can_be_reached_and_installed_is_told(profile, network, has, lacks):
    text = told(profile=profile, network=network)
    assert has in text
    assert lacks not in text


def test_whether_it_is_root_is_told():
    assert "without root" in told()
    assert "You are root" in told(profile="workshop")


def test_nothing_is_left_to_fill_in():
    assert "$" not in told()
