"""What a file is, by the ending of its name alone: nobody here looks into it."""

from __future__ import annotations

from pathlib import PurePosixPath

OTHER = ("other", "application/octet-stream")
KINDS: dict[str, tuple[str, str]] = {
    ending: (kind, media_type)
    for kind, media_type, endings in [
        ("html", "text/html; charset=utf-8", "html htm"),
        ("image", "image/png", "png"),
        ("image", "image/jpeg", "jpg jpeg"),
        ("image", "image/gif", "gif"),
        ("image", "image/webp", "webp"),
        ("image", "image/avif", "avif"),
        ("image", "image/bmp", "bmp"),
        ("svg", "image/svg+xml", "svg"),
        ("video", "video/mp4", "mp4 m4v"),
        ("video", "video/webm", "webm"),
        ("video", "video/quicktime", "mov"),
        ("audio", "audio/wav", "wav"),
        ("audio", "audio/mpeg", "mp3"),
        ("audio", "audio/ogg", "ogg oga opus"),
        ("audio", "audio/flac", "flac"),
        ("audio", "audio/mp4", "m4a aac"),
        ("midi", "audio/midi", "mid midi"),
        ("pdf", "application/pdf", "pdf"),
        ("markdown", "text/plain; charset=utf-8", "md markdown"),
        ("csv", "text/csv; charset=utf-8", "csv"),
        ("csv", "text/tab-separated-values; charset=utf-8", "tsv"),
        ("json", "application/json", "json geojson"),
        ("zip", "application/zip", "zip"),
        ("model", "model/gltf-binary", "glb"),
        ("model", "model/gltf+json", "gltf"),
        ("model", "model/stl", "stl"),
        ("model", "model/obj", "obj"),
        ("text", "text/css; charset=utf-8", "css"),
        ("text", "text/javascript; charset=utf-8", "js mjs"),
        (
            "text",
            "text/plain; charset=utf-8",
            "txt log py sh rst tex toml yaml yml ini xml musicxml abc ly srt vtt ass sql jsonl",
        ),
        (
            "text",
            "text/plain; charset=utf-8",
            "c h cpp hpp cs java kt go rs rb php lua r jl swift ts tsx jsx scss glsl vert frag mtl",
        ),
        ("font", "font/woff2", "woff2"),
        ("font", "font/woff", "woff"),
        ("font", "font/ttf", "ttf"),
        ("font", "font/otf", "otf"),
        ("other", "application/wasm", "wasm"),
    ]
    for ending in endings.split()
}
VISUAL = ("html", "image", "svg", "video", "pdf")


def kind_and_type(name: str) -> tuple[str, str]:
    """The viewer for a file and its media type."""
    return KINDS.get(PurePosixPath(name).suffix[1:].lower(), OTHER)
