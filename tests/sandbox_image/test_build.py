"""Where the parts of the image come from, decided without an engine or a network."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox_image import Profile, base, build, fetch, image_tag, proxy_tag
from sandbox_image.contents import HERE
from sandbox_image.libraries import collect_libraries, copy_files

MIRROR = "http://mirror.test/debian"


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A docker command that writes down how it was called and answers as its script says."""
    program = tmp_path / "bin" / "docker"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n. {tmp_path}/script\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return tmp_path


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run the builder with a command line and a profile that the operator has set."""

    def ask(*arguments: str, profile: str = "") -> None:
        monkeypatch.setattr("sys.argv", ["build", *arguments])
        monkeypatch.delenv("STUDIO_PROFILE", raising=False)
        if profile:
            monkeypatch.setenv("STUDIO_PROFILE", profile)
        build.main()

    return ask


@pytest.mark.parametrize(
    ("arguments", "profile", "profiles"),
    [
        ([], "", ["sealed"]),
        ([], "sealed", ["sealed"]),
        (["workshop"], "", ["sealed", "workshop"]),
        ([], "workshop", ["sealed", "workshop"]),
        (["sealed"], "workshop", ["sealed"]),
    ],
)
def test_images_that_are_wanted_and_here_are_not_built_again(
    docker: Path,
    ask: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    profile: str,
    profiles: list[Profile],
) -> None:
    (docker / "script").write_text("exit 0")
    ask(*arguments, profile=profile)
    assert capsys.readouterr().out.count("is here already") == len(profiles) + 1
    tags = [*map(image_tag, profiles), proxy_tag()]
    assert (docker / "calls").read_text().splitlines() == [f"image inspect {tag}" for tag in tags]


def test_a_profile_that_does_not_exist_is_refused(
    docker: Path, ask: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        ask(profile="open")
    assert "invalid choice: 'open'" in capsys.readouterr().err
    assert not (docker / "calls").exists()


def test_an_engine_that_does_not_answer_is_named_as_the_cause(
    docker: Path, ask: Callable[..., None]
) -> None:
    (docker / "script").write_text("echo 'Cannot connect to the Docker daemon' >&2; exit 1")
    with pytest.raises(SystemExit, match="engine does not answer: Cannot connect"):
        ask()


def test_a_registry_that_answers_gives_the_base(docker: Path) -> None:
    (docker / "script").write_text('[ "$1" = pull ] || { echo "No such image" >&2; exit 1; }')
    assert base.ensure_base() == "debian:trixie-slim"


def test_a_base_made_earlier_is_used_again(docker: Path) -> None:
    (docker / "script").write_text(
        'case "$*" in *base*) exit 0;; esac; echo "No such image" >&2; exit 1'
    )
    assert base.ensure_base() == "sandbox-studio/base:trixie"
    assert "pull" not in (docker / "calls").read_text()


@pytest.mark.parametrize(
    ("lines", "mirror"),
    [
        ("deb http://mirror.test/debian bookworm main", MIRROR),
        ("deb [arch=amd64 signed-by=/k.gpg] http://mirror.test/debian/ bookworm main", MIRROR),
        ("Types: deb\nURIs: http://mirror.test/debian\nSuites: trixie", MIRROR),
        (
            "# deb http://old.test/debian bookworm main\ndeb http://mirror.test/debian b main",
            MIRROR,
        ),
        (
            "deb http://sec.test/debian-security b main\ndeb http://mirror.test/debian b main",
            MIRROR,
        ),
        ("deb http://other.test/ubuntu noble main", None),
        ("", None),
    ],
)
def test_the_mirror_is_the_one_this_machines_apt_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, mirror: str | None
) -> None:
    monkeypatch.delenv("APT_MIRROR", raising=False)
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d" / "debian.sources").write_text(lines)
    assert base.debian_mirror(tmp_path) == mirror


def test_a_named_mirror_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APT_MIRROR", "http://near.test/debian/")
    (tmp_path / "sources.list").write_text("deb http://mirror.test/debian bookworm main")
    assert base.debian_mirror(tmp_path) == "http://near.test/debian"


def test_the_build_gets_mirror_proxy_and_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APT_MIRROR", MIRROR)
    monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
    command = build.build_command("name:tag", "the-base", {"protocol": "1"}, ["--target=x", "."])
    assert f"--build-arg=APT_MIRROR={MIRROR}" in command
    assert "--build-arg=https_proxy=http://proxy.test:3128" in command
    assert "--build-arg=BASE=the-base" in command
    assert "--label=sandbox-studio.protocol=1" in command
    assert "--tag=name:dev" in command
    assert command[-2:] == ["--target=x", "."]


def test_what_was_fetched_once_is_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pins = tmp_path / "pins"
    fetches: list[Path] = []

    def get(folder: Path) -> None:
        fetches.append(folder)
        (folder / "file").write_text(pins.read_text())

    pins.write_text("1")
    first = fetch.fetched("things", [pins], get)
    assert fetch.fetched("things", [pins], get) == first
    assert len(fetches) == 1
    pins.write_text("2")
    assert (fetch.fetched("things", [pins], get) / "file").read_text() == "2"


def test_a_fetch_that_failed_leaves_nothing_that_looks_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pins = tmp_path / "pins"
    pins.write_text("1")

    def fail(folder: Path) -> None:
        (folder / "half").write_text("")
        raise subprocess.CalledProcessError(1, "pip")

    with pytest.raises(subprocess.CalledProcessError):
        fetch.fetched("things", [pins], fail)
    folder = fetch.fetched("things", [pins], lambda folder: (folder / "whole").touch())
    assert [path.name for path in folder.iterdir()] == ["whole"]


def test_a_library_without_a_listed_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "leaflet").mkdir()
    with pytest.raises(SystemExit, match=r"leaflet has no file dist/leaflet\.js"):
        copy_files(tmp_path / "leaflet", ["dist/leaflet.js"], tmp_path)


def test_the_first_missing_package_stops_the_collection(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no file"):
        collect_libraries(tmp_path / "node_modules", tmp_path / "javascript")


def test_pins_carry_hashes_and_no_addresses() -> None:
    pins = (HERE / "requirements.txt").read_text()
    assert pins.count("==") > 30
    assert pins.count("==") <= pins.count("--hash=sha256:")
    assert "://" not in pins
    lock = json.loads((HERE / "package-lock.json").read_text())["packages"]
    assert all("resolved" not in package for package in lock.values())
    assert all(
        "integrity" in package for name, package in lock.items() if is_fetched(name, package)
    )


def is_fetched(name: str, package: dict[str, object]) -> bool:
    """Whether npm fetches the package by itself: not this folder, not part of another package."""
    return bool(name) and not package.get("inBundle")
