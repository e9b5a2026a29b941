"""Which addresses webhooks may go to: public ones, unless the operator allows others.

A user names the address, and the studio calls it: without this, it would open what only the
studio's own machine and network can reach.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Threads of their own: a loop that ends waits for those of its own, however late a name server is.
LOOKUPS = ThreadPoolExecutor(32, "lookup")
# Addresses of the old protocol inside of the new one, which a gateway may translate back.
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class NotAllowed(Exception):
    """Nothing is sent to this address; the message says why."""


def plausible(url: str) -> bool:
    """Whether it could be called as it is written, before any name is looked up."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    schemes = ("http", "https") if settings.WEBHOOK_PRIVATE else ("https",)
    if parts.scheme not in schemes or not host or parts.username or parts.password:
        return False
    if any(char.isspace() or not char.isprintable() for char in url):
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        local = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
        return settings.WEBHOOK_PRIVATE or not local
    return allowed(address)


async def resolved(host: str, port: int) -> str:
    """The address to connect to: all that the name stands for must be allowed.

    Raises:
        NotAllowed: one of them is not.
        OSError: there is no such name.
    """
    look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(LOOKUPS, look)
    texts = [str(address[0]) for *_, address in found]
    for text in texts:
        if not allowed(ipaddress.ip_address(text.partition("%")[0])):
            raise NotAllowed("It leads to an address that is not public.")
    return texts[0]


def allowed(address: Address) -> bool:
    """Whether anybody could reach this address from anywhere, or the operator allows all."""
    if settings.WEBHOOK_PRIVATE:
        return True
    address = _plain(address)
    # Given up long ago, so Python takes them for global; where they are used still, they are local.
    local = isinstance(address, ipaddress.IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or local)


def _plain(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
