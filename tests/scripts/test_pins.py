"""What set-up installs is exactly what was locked, from wherever the machine gets its packages."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("constraints.txt", "constraints-dev.txt", "constraints-node.txt", "benchmarks/peers.txt")


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file):
    """Package → number of hashes."""
    text = (ROOT / file).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {normal(line.split("==")[0]): line.count("--hash=sha256:") for line in lines}


@pytest.mark.parametrize("file", FILES)
def test_every_pin_has_a_hash(file):
    assert pins(file)
    assert all(pins(file).values())


@pytest.mark.parametrize("file", [*FILES, "package-lock.json", ".npmrc"])
def test_no_registry_is_named(file):
    text = (ROOT / file).read_text()
    assert "index-url" not in text
    assert '"resolved"' not in text
    assert not re.search(r"registry *=", text)


def test_all_dependencies_are_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {
        "constraints.txt": project["project"]["dependencies"],
        "constraints-dev.txt": project["dependency-groups"]["dev"],
        "constraints-node.txt": project["dependency-groups"]["node"],
        "benchmarks/peers.txt": project["dependency-groups"]["peers"],
    }
    for file, requirements in wanted.items():
        names = {normal(re.match(r"[\w.-]+", text)[0]) for text in requirements}
        assert names <= pins(file).keys(), file


def test_front_end_packages_are_locked_with_their_hashes():
    package = json.loads((ROOT / "package.json").read_text())
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name in {**package["dependencies"], **package["devDependencies"]}:
        assert locked[f"node_modules/{name}"]["integrity"].startswith("sha512-")
