"""Where no model is asked: the addresses at which clouds hand their machines credentials.

A base URL, a redirect or a DNS answer that leads there is refused before a byte is sent.
Other private addresses are allowed: models run there.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from typing import Any

import httpx2

from agent.errors import ModelUnavailable

REFUSED = [
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16",
        "fe80::/10",
        "100.100.100.200/32",  # Alibaba Cloud
        "168.63.129.16/32",  # Azure
        "fd00:ec2::254/128",  # AWS
        "fd20:ce::254/128",  # Google Cloud
        "fd00:c1::a9fe:a9fe/128",  # Oracle Cloud
        "64:ff9b::a9fe:0/112",  # 169.254.0.0/16 as NAT64 and 6to4 write it
        "2002:a9fe::/32",
    )
]


async def check(request: httpx2.Request) -> None:
    """Refuse a request, redirected ones too, that would go to such an address.

    Raises:
        ModelUnavailable: its host is or resolves to one, now or when it is connected to.
    """
    request.extensions["trace"] = _check_connection
    host = request.url.raw_host.decode("ascii")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return  # Connecting will say so, unless a proxy knows the name.
        for *_, address in found:
            _check_address(str(address[0]))
    else:  # As most models at home are written: there is nothing to ask a name server.
        _check_address(host)


async def _check_connection(event: str, info: Mapping[str, Any]) -> None:
    """Look at who was connected to: a name may resolve to another address the second time."""
    if event != "connection.connect_tcp.complete":
        return
    stream = info["return_value"]
    try:
        _check_address(stream.get_extra_info("server_addr")[0])
    except ModelUnavailable:
        await stream.aclose()
        raise


def _check_address(text: str) -> None:
    address = ipaddress.ip_address(text)
    address = getattr(address, "ipv4_mapped", None) or address
    if any(address in network for network in REFUSED):
        raise ModelUnavailable(
            f"The model's address leads to {address}, a link-local or metadata address, which is "
            "never asked. Check the endpoint's address (OPENAI_BASE_URL)."
        )
