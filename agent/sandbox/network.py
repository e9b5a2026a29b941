"""The places that a sandbox and its proxy have on a network, and what each is told there."""

from __future__ import annotations

import os
import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from agent.sandbox.confinement import WORKSPACE, Confinement
from agent.sandbox.mirrors import Mirrors
from sandbox_image.base import SUITE

# Reserved for tests of network devices, so nobody's own network is there: 16384 times 8 addresses.
POOL = IPv4Network("198.18.0.0/15")
PREFIX = 29
PORT = 8888
PROXY = Confinement(memory=64 << 20, workspace=1 << 20, processes=128, cpus=1.0)

FOLDER = f"{WORKSPACE}/.config/sandbox"
CERTIFICATES, APT_CONF, APT_SOURCES = (
    f"{FOLDER}/{name}" for name in ("ca-certificates.crt", "apt.conf", "sources.list")
)
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
CERTIFICATE_VARIABLES = (
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "NPM_CONFIG_CAFILE",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
)


@cache
def certificates() -> bytes:
    """The bundle that this machine trusts; nothing when it has none."""
    path = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
    return Path(path).read_bytes() if path and Path(path).is_file() else b""


@dataclass(frozen=True, slots=True)
class Subnet:
    """The addresses of one run's own network."""

    network: IPv4Network

    @classmethod
    def random(cls) -> Self:
        """One of very many; the engine says when it is taken."""
        size = 1 << (POOL.max_prefixlen - PREFIX)
        start = POOL.network_address + secrets.randbelow(POOL.num_addresses // size) * size
        return cls(IPv4Network((start, PREFIX)))

    @property
    def proxy(self) -> IPv4Address:
        return self.network[2]

    @property
    def sandbox(self) -> IPv4Address:
        return self.network[3]

    @property
    def proxy_url(self) -> str:
        return f"http://{self.proxy}:{PORT}"


@dataclass(frozen=True, slots=True)
class Link:
    """A container's place on a network: the engine's settings, variables, and files by path."""

    mode: str
    address: str = ""
    host: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def open_link(mirrors: Mirrors) -> Link:
    """A sandbox on the engine's own bridge, from where everything can be reached."""
    return Link("bridge", environment=environment(mirrors), files=files(mirrors))


def packages_link(name: str, subnet: Subnet, mirrors: Mirrors) -> Link:
    """A sandbox on the network `name`, where there is nothing but its proxy."""
    return Link(
        name,
        address=str(subnet.sandbox),
        # An engine may pass questions for names on to its host's resolver: here nobody answers.
        host={"dns": [str(subnet.proxy)], "dns_opt": ["timeout:1", "attempts:1"]},
        environment=environment(mirrors, subnet.proxy_url),
        files=files(mirrors),
    )


def proxy_link(name: str, subnet: Subnet) -> Link:
    """The proxy on the network `name`; it must pass on nothing by itself."""
    return Link(name, address=str(subnet.proxy), host={"sysctls": {"net.ipv4.ip_forward": "0"}})


def environment(mirrors: Mirrors, proxy: str = "") -> Mapping[str, str]:
    """The variables that tell a sandbox's tools where to ask; `proxy` is a URL, or nothing."""
    found: dict[str, str] = {}
    if certificates():
        found |= dict.fromkeys(CERTIFICATE_VARIABLES, CERTIFICATES)
    if mirrors.pip:
        found["PIP_INDEX_URL"] = mirrors.pip
        if mirrors.pip.startswith("http://"):
            found["PIP_TRUSTED_HOST"] = urlsplit(mirrors.pip).netloc
    if mirrors.npm:
        found["NPM_CONFIG_REGISTRY"] = mirrors.npm
    if mirrors.apt:
        found["APT_CONFIG"] = APT_CONF
    if proxy:
        around = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": "localhost,127.0.0.1,::1"}
        found |= around | {name.upper(): value for name, value in around.items()}
    return found


def files(mirrors: Mirrors) -> Mapping[str, bytes]:
    """The files that `environment` speaks of, by path."""
    found = {}
    settings = {"Dir::Etc::sourcelist": APT_SOURCES, "Dir::Etc::sourceparts": "/dev/null"}
    if certificates():
        found[CERTIFICATES] = certificates()
        settings["Acquire::https::CaInfo"] = CERTIFICATES
    if mirrors.apt:
        found[APT_CONF] = "".join(f'{key} "{value}";\n' for key, value in settings.items()).encode()
        found[APT_SOURCES] = "".join(
            f"deb [signed-by={KEYRING}] {mirrors.apt}{archive} {suite} main\n"
            for archive, suite in (
                ("", SUITE),
                ("", f"{SUITE}-updates"),
                ("-security", f"{SUITE}-security"),
            )
        ).encode()
    return found


def proxy_command(mirrors: Mirrors, subnet: Subnet) -> list[str]:
    """The arguments of the proxy's image: tinyproxy's configuration, and its filter."""
    configuration = f"""
Listen {subnet.proxy}
Port {PORT}
MaxClients 100
LogLevel Critical
DisableViaHeader Yes
Filter "/tmp/filter"
FilterType ere
FilterURLs On
FilterDefaultDeny Yes
"""
    return [configuration, "\n".join(sorted(map(_pattern, mirrors.allowed())))]


def _pattern(endpoint: tuple[str, str, int]) -> str:
    """The whole of what a client says to the proxy, before any name in it is looked up."""
    scheme, host, port = endpoint
    name = host.replace(".", r"\.")
    if scheme == "https":
        return f"^{name}:{port}$"
    # Of a request without a host in its first line tinyproxy makes `http://<Host header>:80/…`
    # and looks that header up whole, `mirror/secret.example.com` too: so no further colon.
    return f"^http://{name}{f'(:{port})?' if port == 80 else f':{port}'}/[^:]*$"
