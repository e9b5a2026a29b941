"""Reads what the deck is made from: Markdown, plain text, CSV or JSON."""

from __future__ import annotations

import json
from pathlib import Path

import make_records
import make_text
from kit.script import Unusable
from kit.text import decoded
from make_tables import rows_of, table_slides


def read(name, lang):
    """(title, subtitle, content slides) of the input file.

    Raises:
        Unusable: it is empty, broken or no text.
    """
    path = Path("input") / name
    found = decoded(path.read_bytes())
    if not found:
        raise Unusable(f"{name} 不是文本。" if lang == "zh" else f"{name} is not text.")
    text, _ = found
    if not text.strip():
        raise Unusable(f"{name} 是空的。" if lang == "zh" else f"{name} is empty.")
    suffix = path.suffix.lower()
    fallback = path.stem.replace("_", " ").replace("-", " ").strip()
    if suffix in (".csv", ".tsv"):
        return fallback, "", table_slides(rows_of(text), fallback, name, lang)
    if suffix == ".json":
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            line = error.lineno
            raise Unusable(
                f"{name} 不是有效的 JSON（第 {line} 行）。"
                if lang == "zh"
                else f"{name} is not valid JSON (line {line})."
            ) from error
        return make_records.read(value, fallback, name, lang)
    return make_text.read(text, fallback, lang)
