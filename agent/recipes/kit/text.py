"""Text files as people save them."""

from __future__ import annotations

import codecs


def decoded(data: bytes) -> tuple[str, str] | None:
    """The text and its encoding as Python calls it; None for what is no text."""
    encodings: tuple[str, ...] = ("utf-8-sig", "gb18030", "cp1252", "latin-1")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ("utf-16",)
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        controls = sum(char < " " and char not in "\r\n\t" for char in text[:4000])
        return None if "\0" in text or controls > 20 else (text, encoding)
    return None
