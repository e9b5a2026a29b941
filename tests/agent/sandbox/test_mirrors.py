"""Which indexes a sandbox may install from, and where that is taken from."""

import re
from pathlib import Path

import pytest

from agent.sandbox.mirrors import Mirrors

PIP, NPM, APT = "https://index.test/simple", "https://npm.test:8443/", "http://deb.test/debian"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose tools are set to `PIP`, `NPM` and `APT`."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", PIP)
    monkeypatch.setenv("APT_MIRROR", APT)
    npm = tmp_path / "npm"
    npm.write_text(f'#!/bin/sh\n[ "$*" = "config get registry" ] && echo {NPM}\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def test_the_mirrors_are_those_of_the_machines_own_tools(machine: Path) -> None:
    assert Mirrors.from_environment() == Mirrors(pip=PIP, npm=NPM, apt=APT)


def test_pips_own_default_brings_the_host_that_its_files_are_on(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_INDEX_URL")
    mirrors = Mirrors.from_environment()
    assert re.fullmatch(r"https://[^/]+/simple", mirrors.pip)
    assert len(mirrors.hosts) == 1
    assert ("https", mirrors.hosts[0], 443) in mirrors.allowed()
    assert mirrors.hosts[0] not in mirrors.pip


def test_the_folder_one_happens_to_be_in_has_no_say(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(1)")
    (machine / "npm").write_text(f"#!/bin/sh\n[ ! -e json.py ] && echo {NPM}\n")
    monkeypatch.chdir(tmp_path)
    assert Mirrors.from_environment() == Mirrors(pip=PIP, npm=NPM, apt=APT)


def test_a_password_for_an_index_does_not_enter_a_sandbox(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://me:secret@index.test/simple")
    assert Mirrors.from_environment().pip == PIP


def test_an_index_that_no_sandbox_can_reach_is_left_out_and_told(
    machine: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://localhost:3141/simple")
    assert Mirrors.from_environment() == Mirrors(npm=NPM, apt=APT)
    assert "http://localhost:3141/simple" in caplog.text


def test_a_tool_that_fails_is_left_out_and_told(
    machine: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (machine / "npm").write_text("#!/bin/sh\nexit 1\n")
    assert Mirrors.from_environment() == Mirrors(pip=PIP, apt=APT)
    assert "npm" in caplog.text


def test_what_may_be_asked_for_is_scheme_host_and_port() -> None:
    mirrors = Mirrors(pip=PIP, npm=NPM, apt=APT, hosts=("files.test",))
    assert mirrors.allowed() == {
        ("https", "index.test", 443),
        ("https", "npm.test", 8443),
        ("http", "deb.test", 80),
        ("https", "files.test", 443),
    }
    assert Mirrors().allowed() == frozenset()


@pytest.mark.parametrize(
    "url",
    [
        "index.test/simple",
        "ftp://index.test/simple",
        "file:///srv/simple",
        "https:///simple",
        "https://index.test:port/simple",
        "https://index test/simple",
        "https://.*/simple",
        "https://index.test|evil.test/simple",
        "https://me:secret@index.test/simple",
        "http://localhost/simple",
        "http://a.localhost/simple",
        "http://127.0.0.1:3141/simple",
        "http://0.0.0.0/simple",
        "http://169.254.169.254/simple",
        "http://[::1]/simple",
    ],
)
def test_an_address_that_a_sandbox_must_not_use_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Mirrors(pip=url)


@pytest.mark.parametrize("host", ["", "files.test/x", "a b", "localhost", "me@files.test"])
def test_a_host_that_is_none_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Mirrors(hosts=(host,))
