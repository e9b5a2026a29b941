"""The package indexes that a sandbox may install from."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from sandbox_image.base import debian_mirror

logger = logging.getLogger(__name__)

HOSTNAME = re.compile(r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?", re.ASCII)
DEFAULT_PORTS = {"http": 80, "https": 443}
ASK_SECONDS = 30
# pip merges its files, its variables and its defaults only in here.
ASK_PIP = """
import json
from pip._internal.commands import create_command
from pip._internal.models.index import PyPI
index = create_command("install").parse_args([])[0].index_url
print(json.dumps([index, PyPI.file_storage_domain if index == PyPI.simple_url else ""]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrors:
    """The indexes that pip, npm and apt use in a sandbox: URLs, or nothing for a tool without one.

    `hosts` are names that those indexes refer to for files, by https.

    Raises:
        ValueError: an address is none that a sandbox can use.
    """

    pip: str = ""
    npm: str = ""
    apt: str = ""
    hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.allowed()

    @classmethod
    def from_environment(cls) -> Self:
        """What this machine's own pip, npm and apt use, further indexes and passwords left out."""
        mirrors = cls()
        index, files = _of_pip()
        for change in (
            partial(replace, pip=index, hosts=(files,) if files else ()),
            partial(replace, npm=_of_npm()),
            partial(replace, apt=debian_mirror() or ""),
        ):
            try:
                mirrors = change(mirrors)
            except ValueError as error:
                logger.warning("Sandboxes go without a package mirror: %s", error)
        return mirrors

    def allowed(self) -> frozenset[tuple[str, str, int]]:
        """Scheme, host and port of all that may be asked for."""
        urls = [url for url in (self.pip, self.npm, self.apt) if url]
        for host in self.hosts:
            if not HOSTNAME.fullmatch(host):
                raise ValueError(f"{host!r} is not the name of a host")
        return frozenset(map(_endpoint, [*urls, *(f"https://{host}" for host in self.hosts)]))


def _endpoint(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an index; ValueError when a sandbox could not or must not use it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if "@" in parts.netloc:
        raise ValueError(f"the address of {host} has a password in it, which a sandbox could read")
    if parts.scheme not in DEFAULT_PORTS or not HOSTNAME.fullmatch(host):
        raise ValueError(f"{url!r} is no address of the form https://host/path")
    if host == "localhost" or host.endswith(".localhost") or _is_own(host):
        raise ValueError(f"{url!r} is this machine's own address, which means another one inside")
    return parts.scheme, host, parts.port or DEFAULT_PORTS[parts.scheme]


def _is_own(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_link_local or address.is_unspecified


def _of_pip() -> tuple[str, str]:
    """pip's index, and the host that its files are on if it is another."""
    index, files = json.loads(_ask(sys.executable, "-P", "-c", ASK_PIP) or '["", ""]')
    return _without_password(index), files


def _of_npm() -> str:
    npm = shutil.which("npm") or shutil.which("npm", path=str(Path(sys.executable).parent))
    return _without_password(_ask(npm, "config", "get", "registry")) if npm else ""


def _ask(*command: str) -> str:
    """What a tool prints; nothing when it is not there or fails."""
    try:
        # In a folder where no project has settings of its own.
        return subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=ASK_SECONDS, cwd="/"
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        logger.warning("A package tool does not say what its index is: %s", error)
        return ""


def _without_password(url: str) -> str:
    return re.sub(r"(?<=://)[^/]*@", "", url)


@cache
def machine_mirrors() -> Mirrors:
    """`Mirrors.from_environment()`, asked once."""
    return Mirrors.from_environment()
