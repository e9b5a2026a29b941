"""Writes requirements.txt (exact versions and hashes) from requirements.in.

    python3 -m sandbox_image.pin

Resolved once for every kind of machine, so that one file serves them all.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

from sandbox_image.contents import HERE
from sandbox_image.fetch import pip, target_options

MACHINES = ("x86_64", "aarch64")
# Published as source only; pip can't resolve those for another Python.
SOURCE_ONLY = ("midiutil", "pretty_midi")
# In config/packages.txt as python3-…, or part of the system
FROM_DEBIAN = {
    "brotli",
    "cairocffi",
    "cffi",
    "fonttools",
    "lxml",
    "numpy",
    "pillow",
    "pycparser",
    "tzdata",
}


def main() -> None:
    pins: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory(prefix="sandbox-pin-") as folder:
        built = Path(folder, "built")
        command = ["download", "--quiet", "--no-deps", "--no-binary=:all:", f"--dest={folder}"]
        subprocess.run([*pip(), *command, *SOURCE_ONLY], check=True)
        sources = sorted(Path(folder).glob("*.tar.gz"))
        command = ["wheel", "--quiet", "--no-deps", f"--wheel-dir={built}", *map(str, sources)]
        subprocess.run([*pip(), *command], check=True)
        for machine in MACHINES:
            for pin, digest in resolve(machine, Path(folder), built):
                pins.setdefault(pin, set()).add(digest)
        # What is downloaded later is the source, not the wheel that was just built from it.
        for source in sources:
            name, version = source.name.removesuffix(".tar.gz").lower().rsplit("-", 1)
            pins[f"{name}=={version}"] = {hashlib.sha256(source.read_bytes()).hexdigest()}
    lines = ["# Written by `python3 -m sandbox_image.pin` from requirements.in."]
    for name, digests in sorted(pins.items()):
        hashes = " \\\n".join(f"    --hash=sha256:{digest}" for digest in sorted(digests))
        lines.append(f"{name} \\\n{hashes}")
    (HERE / "requirements.txt").write_text("\n".join(lines) + "\n", "utf-8")


def resolve(machine: str, folder: Path, built: Path) -> list[tuple[str, str]]:
    """`name==version` and SHA-256 of every file that the image needs on `machine`."""
    report = folder / f"{machine}.json"
    command = [
        *pip(),
        "install",
        "--quiet",
        "--dry-run",
        "--ignore-installed",
        "--no-warn-conflicts",
    ]
    command += [f"--report={report}", f"--target={folder / 'none'}", f"--find-links={built}"]
    command += [*target_options(machine), "--only-binary=:all:"]
    subprocess.run([*command, f"--requirement={HERE / 'requirements.in'}"], check=True)
    pins = []
    for item in json.loads(report.read_text("utf-8"))["install"]:
        name = item["metadata"]["name"].lower()
        if name not in FROM_DEBIAN:
            digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
            pins.append((f"{name}=={item['metadata']['version']}", digest))
    return pins


if __name__ == "__main__":
    main()
