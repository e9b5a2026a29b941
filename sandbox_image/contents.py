"""Which files enter the images, and the tags and protocol version that follow from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Profile = Literal["sealed", "workshop"]

HERE = Path(__file__).resolve().parent
REPOSITORIES: Mapping[Profile, str] = {
    "sealed": "sandbox-studio/sandbox",
    "workshop": "sandbox-studio/workshop",
}
PROXY_REPOSITORY = "sandbox-studio/proxy"

# Everything else in this folder is host-side code that can't change what is in the image.
PARTS = (
    "Dockerfile",
    "requirements.txt",
    "package.json",
    "package-lock.json",
    "config",
    "prepare",
    "tools",
    "guest",
)
PROXY_PARTS = ("proxy",)


def files_of(part: Path) -> list[Path]:
    """The files of `part` (a file or a folder) in a stable order, without Python's caches."""
    found = sorted(part.rglob("*")) if part.is_dir() else [part]
    return [
        path
        for path in found
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]


def contents_hash(folder: Path = HERE, parts: Sequence[str] = PARTS) -> str:
    """16 hexadecimal digits that change with the name, bytes or executable bit of any part."""
    digest = hashlib.sha256()
    for part in parts:
        for path in files_of(folder / part):
            data = path.read_bytes()
            mode = "x" if path.stat().st_mode & 0o100 else "-"
            name = path.relative_to(folder).as_posix()
            digest.update(f"{name}\0{mode}\0{len(data)}\0".encode())
            digest.update(data)
    return digest.hexdigest()[:16]


def guest_protocol(folder: Path = HERE) -> int:
    """The protocol version that the guest in `folder` declares; ValueError if it declares none."""
    source = folder / "guest" / "protocol.py"
    # Read, not imported: the guest's modules are written for the container's Python.
    found = re.search(r"^PROTOCOL\b[^=\n]*=\s*(\d+)", source.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{source} declares no PROTOCOL")
    return int(found[1])


PROTOCOL = guest_protocol()


@cache
def image_tag(profile: Profile = "sealed") -> str:
    """`<repository of the profile>:<contents hash>` of this checkout."""
    return f"{REPOSITORIES[profile]}:{contents_hash()}"


@cache
def proxy_tag() -> str:
    """`sandbox-studio/proxy:<contents hash>` of this checkout."""
    return f"{PROXY_REPOSITORY}:{contents_hash(parts=PROXY_PARTS)}"
