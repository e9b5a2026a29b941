"""Set-up's decisions on machines made of shell functions, and set-up itself on this one."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A machine of facts (files) on which commands as root are written down and an engine answers once
# it was started, unless the fact `broken` is there.
MACHINE = """
fact() { [[ -e facts/$1 ]]; }
engine_answers() { fact started && ! fact broken; }
running() { fact "$1"; }
has_engine() { fact docker.io; }
has_systemd() { fact systemd; }
can_be_root() { fact root; }
sleep() { :; }
apt_install() { as_root apt-get install "$@"; }
as_root() {
  echo "$*" >>calls
  case "$*" in
    *install*docker.io*) touch facts/docker.io ;;
    *dockerd | *"start docker") touch facts/started facts/dockerd ;;
  esac
  fact broken && rm -f facts/dockerd && echo "failed to start daemon"
  return 0
}
"""


@pytest.fixture
def machine(tmp_path):
    """Runs `ensure_engine` on a machine with the given facts: its end, and what root had to do."""
    shutil.copytree(ROOT / "scripts" / "lib", tmp_path / "scripts" / "lib")
    (tmp_path / "facts").mkdir()

    def ensure_engine(*facts, **environment):
        for fact in facts:
            (tmp_path / "facts" / fact).touch()
        source = "source scripts/lib/common.sh; source scripts/lib/engine.sh;"
        end = subprocess.run(
            ["bash", "-c", source + MACHINE + "ensure_engine"],
            cwd=tmp_path,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        calls = tmp_path / "calls"
        return end, calls.read_text().splitlines() if calls.exists() else []

    return ensure_engine


def test_an_engine_that_answers_is_used_as_it_is(machine):
    end, calls = machine("started")
    assert (end.returncode, end.stdout, calls) == (0, "", [])


def test_without_an_engine_docker_is_installed_and_started_and_said_to_stay(machine):
    end, calls = machine("root")
    assert end.returncode == 0
    assert calls[0].startswith("apt-get install docker.io")
    assert calls[-1] == "setsid --fork dockerd"
    assert "stays on" in end.stdout
    assert "to stop it" in end.stdout


def test_an_installed_engine_is_only_started(machine):
    _, calls = machine("root", "docker.io")
    assert not any("install" in call for call in calls)
    assert calls[-1] == "setsid --fork dockerd"


def test_an_init_system_starts_it_where_there_is_one(machine):
    _, calls = machine("root", "docker.io", "systemd")
    assert calls == ["systemctl start docker"]


def test_what_a_killed_engine_left_is_removed_before_the_next_starts(machine):
    _, calls = machine("root", "docker.io")
    assert "/var/run/docker.pid" in calls[0]
    assert "containerd.pid" in calls[1]


def test_a_living_containerd_keeps_its_files(machine):
    _, calls = machine("root", "docker.io", "containerd")
    assert not any("containerd" in call for call in calls)


def test_an_engine_that_gives_up_shows_its_last_words(machine):
    end, _ = machine("root", "docker.io", "broken")
    assert end.returncode == 3
    assert "failed to start daemon" in end.stderr
    assert "var/log/dockerd.log" in end.stderr


def test_without_root_it_says_what_an_administrator_must_do(machine):
    end, calls = machine()
    assert (end.returncode, calls) == (3, [])
    assert "apt-get install docker.io" in end.stderr


def test_an_engine_elsewhere_that_does_not_answer_is_named_and_not_replaced(machine):
    end, calls = machine("root", DOCKER_HOST="tcp://engine.example:2376")
    assert (end.returncode, calls) == (3, [])
    assert "tcp://engine.example:2376" in end.stderr


def test_an_unknown_option_is_refused():
    end = subprocess.run([ROOT / "scripts" / "setup", "--fast"], capture_output=True, text=True)
    assert end.returncode == 2
    assert "Usage" in end.stderr


@pytest.mark.engine
def test_set_up_again_finds_everything_done(tmp_path):
    """On a copy of the checkout, so that the image, which has tests of its own, stays out of it."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    (tmp_path / "scripts" / "build-image").write_text('#!/bin/sh\necho "image $*"\n')
    pins = [path.name for path in ROOT.glob("constraints*.txt")]
    for name in (".venv", "node_modules", "locale", "package-lock.json", *pins):
        (tmp_path / name).symlink_to(ROOT / name)
    end = subprocess.run(
        ["scripts/setup", "--test"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert end.returncode == 0, end.stderr
    assert "image workshop\n" in end.stdout
    assert "installing" not in end.stdout
    # Whatever is done leaves a log.
    assert not list((tmp_path / "var" / "log").iterdir())
