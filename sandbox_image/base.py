"""The base image: pulled when a container registry answers, otherwise made with debootstrap."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

SUITE = "trixie"
PULLED = f"debian:{SUITE}-slim"
BOOTSTRAPPED = f"sandbox-studio/base:{SUITE}"
PULL_SECONDS = 90

APT_SOURCES = Path("/etc/apt")
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def image_exists(tag: str) -> bool:
    answer = subprocess.run(
        ["docker", "image", "inspect", tag], capture_output=True, text=True, check=False
    )
    if answer.returncode and "No such image" not in answer.stderr:
        raise SystemExit(f"The container engine does not answer: {answer.stderr.strip()}")
    return answer.returncode == 0


def debian_mirror(sources: Path = APT_SOURCES) -> str | None:
    """The Debian mirror to use, or None for the default of Debian's own tools.

    `APT_MIRROR` wins; otherwise the first mirror of Debian that this machine's apt uses.
    """
    if chosen := os.environ.get("APT_MIRROR"):
        return chosen.rstrip("/")
    files = [sources / "sources.list", *sorted((sources / "sources.list.d").glob("*"))]
    text = "\n".join(path.read_text("utf-8") for path in files if path.is_file())
    return first_debian_mirror(text.splitlines())


def first_debian_mirror(lines: Iterable[str]) -> str | None:
    """The first address in apt source lines, of either format, that ends in `/debian`."""
    for line in lines:
        found = re.match(r"(?:deb\s|URIs:).*?(https?://\S+?/debian)/?(?:\s|$)", line)
        if found:
            return found[1]
    return None


def ensure_base() -> str:
    """The tag of a Debian base image on the local engine, brought there if need be."""
    for tag in (PULLED, BOOTSTRAPPED):
        if image_exists(tag):
            print(f"Base: {tag} is here.")
            return tag
    print(f"Base: pulling {PULLED} ...", flush=True)
    try:
        pull = subprocess.run(
            ["docker", "pull", "--quiet", PULLED],
            capture_output=True,
            text=True,
            timeout=PULL_SECONDS,
            check=False,
        )
        if pull.returncode == 0:
            return PULLED
        reason = pull.stderr.strip().splitlines()[-1]
    except subprocess.TimeoutExpired:
        reason = f"no answer in {PULL_SECONDS} s"
    print(f"Base: could not pull ({reason}); making {BOOTSTRAPPED} with debootstrap.", flush=True)
    bootstrap()
    return BOOTSTRAPPED


def bootstrap() -> None:
    """Make a minimal Debian with debootstrap and import it as `BOOTSTRAPPED`."""
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    missing = [
        package
        for package, there in (
            ("debootstrap", shutil.which("debootstrap") or Path("/usr/sbin/debootstrap").exists()),
            ("debian-archive-keyring", KEYRING.exists()),
        )
        if not there
    ]
    if missing:
        subprocess.run([*sudo, "apt-get", "install", "-y", *missing], check=True)
    mirror = debian_mirror()
    with tempfile.TemporaryDirectory(prefix="sandbox-base-") as folder:
        root = Path(folder, "root")
        command = [*sudo, "/usr/sbin/debootstrap", "--variant=minbase", f"--keyring={KEYRING}"]
        command += [SUITE, str(root), *([mirror] if mirror else [])]
        try:
            subprocess.run(command, check=True)
            with subprocess.Popen(
                [*sudo, "tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE
            ) as tar:
                subprocess.run(
                    ["docker", "import", "-", BOOTSTRAPPED], stdin=tar.stdout, check=True
                )
            if tar.returncode:
                raise SystemExit("tar could not read the new base system.")
        finally:
            # Root's files; as another user the temporary folder could not remove them.
            subprocess.run([*sudo, "rm", "-rf", str(root)], check=True)
