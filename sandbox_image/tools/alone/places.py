"""Where the files of a page are: below its folder, or among the image's libraries."""

from __future__ import annotations

import base64
import mimetypes
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

SHELF = Path("/usr/share/javascript")
MOST_BYTES, MOST_BYTES_IN_ALL = 64 << 20, 192 << 20
TYPES = {
    **dict.fromkeys((".js", ".mjs"), "text/javascript"),
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
    ".geojson": "application/geo+json",
    ".md": "text/plain",
}
OTHER = "application/octet-stream"


class Missing(Exception):
    """Something can't be put in; the reason as it is told."""


@dataclass(frozen=True)
class Place:
    """A file in a folder out of which nothing leads: `name` is relative to it."""

    root: Path
    name: str

    def beside(self, address: str) -> Place:
        """The file that an address in this one means; raises Missing."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            raise Missing("it needs the network")
        path = unquote(parts.path)
        folder = "" if path.startswith("/") else self.name.rpartition("/")[0]
        names: list[str] = []
        for part in (*folder.split("/"), *path.split("/")):
            if part == ".." and names:
                names.pop()
            elif part == "..":
                raise Missing("it lies outside of the page's folder")
            elif part not in ("", "."):
                names.append(part)
        return Place(self.root, "/".join(names))

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    @property
    def media_type(self) -> str:
        return TYPES.get(self.suffix) or mimetypes.guess_type(self.name)[0] or OTHER


@dataclass
class Files:
    """Reads files, and keeps count of what was put in and what could not be."""

    bytes: int = 0
    missing: dict[str, str] = field(default_factory=dict)
    used: set[Place] = field(default_factory=set)

    def read(self, place: Place) -> bytes:
        """Raises Missing; a link to somewhere else counts as nothing."""
        path = place.root / place.name
        try:
            if path.resolve(strict=True) != path or not path.is_file():
                raise Missing("there is no such file")
            size = path.stat().st_size
            if size > MOST_BYTES or self.bytes + size > MOST_BYTES_IN_ALL:
                raise Missing("it is too large to be put into a page")
            data = path.read_bytes()
        except (OSError, ValueError):
            raise Missing("there is no such file") from None
        self.bytes += len(data)
        self.used.add(place)
        return data

    def text(self, place: Place) -> str:
        return self.read(place).decode("utf-8-sig", "replace")

    def data(self, place: Place) -> str:
        """The file as an address that holds it."""
        return data_address(self.read(place), place.media_type)

    def lacks(self, address: str, error: Missing) -> None:
        self.missing.setdefault(address, str(error))


def data_address(data: bytes, media_type: str) -> str:
    if media_type.startswith("text/"):
        media_type += ";charset=utf-8"
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def is_inside(address: str) -> bool:
    """Whether an address needs no file: it is empty, a part of the page, or holds its data."""
    start = address.strip().lower()
    return not start or start.startswith(
        ("#", "data:", "blob:", "about:", "javascript:", "mailto:", "tel:", "sms:")
    )
