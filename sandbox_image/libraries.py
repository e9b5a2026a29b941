"""Lays out the front-end libraries for pages that work without a network, and their index."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from sandbox_image.contents import HERE

SHELF = "/usr/share/javascript"
HEADING = f"""# Front-end libraries for pages that work without a network

Put them into the page: one file that opens anywhere beats links that break. In Python:

    library = Path("{SHELF}/d3/d3.min.js").read_text()
    page = page.replace("/*D3*/", library)
"""


def collect_libraries(modules: Path, target: Path) -> None:
    """Copies what config/offline-libs.toml lists to `target/<library>/`, and writes INDEX.md.

    Raises SystemExit when a package lacks a file that is listed.
    """
    manifest = tomllib.loads((HERE / "config" / "offline-libs.toml").read_text("utf-8"))
    index = [HEADING]
    for name, library in manifest.items():
        shelf = target / name
        shelf.mkdir(parents=True)
        copy_files(modules / name, library["files"], shelf)
        if "bundle" in library:
            bundle(modules, HERE / "config" / library["bundle"], shelf / f"{name}.global.js")
        version = json.loads((modules / name / "package.json").read_text("utf-8"))["version"]
        index.append(section(f"{name} {version}", library, shelf, target))
    (target / "INDEX.md").write_text("\n".join(index), "utf-8")


def copy_files(package: Path, patterns: list[str], shelf: Path) -> None:
    for pattern in patterns:
        found = sorted(package.glob(pattern))
        if not found:
            raise SystemExit(f"The npm package {package.name} has no file {pattern}.")
        for path in found:
            # A style sheet names its fonts with their folder.
            folder = shelf / "fonts" if path.parent.name == "fonts" else shelf
            folder.mkdir(exist_ok=True)
            shutil.copy(path, folder)
    for path in package.glob("LICEN[CS]E*"):
        shutil.copy(path, shelf)


def bundle(modules: Path, entry: Path, target: Path) -> None:
    """One classic script that defines the global `THREE` from the ES modules that `entry` names."""
    command = [str(modules / ".bin" / "esbuild"), "--bundle", "--minify", "--format=iife"]
    command += ["--global-name=THREE", f"--outfile={target}", "--log-level=warning"]
    with entry.open("rb") as source:
        subprocess.run([*command, "--loader=js"], stdin=source, cwd=modules.parent, check=True)


def section(title: str, library: dict[str, Any], shelf: Path, target: Path) -> str:
    files = [path for path in sorted(shelf.iterdir()) if path.suffix in (".js", ".css")]
    lines = [
        f"- {SHELF}/{path.relative_to(target).as_posix()} ({path.stat().st_size // 1000} kB)"
        for path in files
    ]
    example = library["example"].strip()
    return f"## {title}\n\n{library['about']}\n\n" + "\n".join(lines) + f"\n\n    {example}\n"
