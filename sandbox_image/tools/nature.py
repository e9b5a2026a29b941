"""What a file is, by what it holds; among texts its name may tell which kind of text."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

HEAD = 8192
SECONDS = 10
OTHER = "application/octet-stream"
KINDS = {
    "text/html": "html",
    "image/svg+xml": "svg",
    "audio/midi": "midi",
    "application/pdf": "pdf",
    "text/markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/json": "json",
    "application/geo+json": "json",
    "application/zip": "zip",
}
# In the order in which they are tried.
MAGIC = (
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"%PDF", "application/pdf"),
    (b"MThd", "audio/midi"),
    (b"glTF", "model/gltf-binary"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"FLV", "video/x-flv"),
    (b"\0\0\1\xba", "video/mpeg"),
    (b"wOF2", "font/woff2"),
    (b"wOFF", "font/woff"),
    (b"OTTO", "font/otf"),
    (b"\0\1\0\0", "font/ttf"),
    (b"true", "font/ttf"),
    (b"\0asm", "application/wasm"),
    (b"\x1f\x8b", "application/gzip"),
)
RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
}
OFFICE = {
    "word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
TEXTS = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".py": "text/x-python",
    ".obj": "model/obj",
}
PAGES = (".html", ".htm", ".xhtml")
# What may stand before the outermost element.
PROLOGUE = re.compile(
    rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!doctype(?:[^\[>]|\[[^\]]*\])*>)*", re.DOTALL | re.IGNORECASE
)


def nature(path: Path) -> tuple[str, str]:
    """The media type and the kind of a regular file."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    media_type = in_bytes(path, head) or in_text(path, head) or by_program(path)
    return media_type, kind_of(media_type)


def kind_of(media_type: str) -> str:
    """The viewer that a media type belongs to."""
    if media_type in KINDS:
        return KINDS[media_type]
    family = media_type.partition("/")[0]
    return family if family in ("image", "audio", "video", "model", "text") else "other"


def in_bytes(path: Path, head: bytes) -> str:
    if head[:4] == b"RIFF" and head[8:12] in RIFF:
        return RIFF[head[8:12]]
    if head[4:8] == b"ftyp":
        return BRANDS.get(head[8:12], "video/mp4")
    if head[4:8] in (b"moov", b"mdat", b"wide"):
        return "video/quicktime"
    if head[:4] == b"\x1aE\xdf\xa3":
        return "video/webm" if b"webm" in head[:64] else "video/x-matroska"
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return "audio/aiff"
    if head[:4] == b"PK\3\4":
        return in_archive(path)
    if head[:1] == b"\x47" and head[188:189] == b"\x47":
        return "video/mp2t"
    for start, media_type in MAGIC:
        if head.startswith(start):
            return media_type
    if head[:1] == b"\xff" and len(head) > 1 and head[1] & 0xE0 == 0xE0:
        return "audio/aac" if head[1] & 0x06 == 0 else "audio/mpeg"
    if len(head) >= 84 and path.stat().st_size == 84 + 50 * int.from_bytes(head[80:84], "little"):
        return "model/stl"
    return ""


def in_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as file:
            names = file.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return "application/zip"
    if "[Content_Types].xml" not in names:
        return "application/zip"
    found = (kind for part, kind in OFFICE.items() if any(n.startswith(part) for n in names))
    return next(found, "application/zip")


def in_text(path: Path, head: bytes) -> str:
    try:
        # A letter may be cut in two at the end of what was read.
        text = head.decode("utf-8-sig", "strict" if len(head) < HEAD else "ignore")
    except UnicodeDecodeError:
        return ""
    if "\0" in text:
        return ""
    suffix = path.suffix.lower()
    start = head.removeprefix(b"\xef\xbb\xbf")
    after = start[PROLOGUE.match(start).end() :]
    if re.match(rb"<(\w+:)?svg[\s>/]", after):
        return "image/svg+xml"
    if suffix in PAGES or re.match(rb"\s*(<!doctype html|<html[\s>])", start, re.IGNORECASE):
        return "text/html"
    if suffix == ".gltf" or (text.lstrip().startswith("{") and is_scene(path, text)):
        return "model/gltf+json"
    if suffix in (".json", ".geojson"):
        return "application/geo+json" if suffix == ".geojson" else "application/json"
    if suffix == ".stl" and text.lstrip().startswith("solid"):
        return "model/stl"
    if suffix in TEXTS:
        return TEXTS[suffix]
    if text.startswith("<?xml"):
        return "text/xml"
    return "text/plain"


def is_scene(path: Path, text: str) -> bool:
    if '"asset"' not in text or path.stat().st_size > HEAD:
        return '"asset"' in text and '"meshes"' in text and '"bufferViews"' in text
    try:
        return "version" in json.loads(text).get("asset", {})
    except (ValueError, AttributeError):
        return False


def by_program(path: Path) -> str:
    """What `file` says; it knows many formats that nothing here shows."""
    try:
        told = subprocess.run(
            ["file", "--brief", "--mime-type", "--", str(path)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        ).stdout.strip()
    except subprocess.TimeoutExpired:
        return OTHER
    return told if re.fullmatch(r"[\w.+-]{1,40}/[\w.+-]{1,58}", told) else OTHER
