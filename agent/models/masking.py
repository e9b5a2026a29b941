"""Secrets taken out of texts by strangers, however they are spelled there."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

MASK = "•••"
SHOWN = 7  # Of a longer secret no more characters in a row are left; shorter ones go as a whole.
SCREENED = 10  # Shorter ones are stand-ins like "ollama" for endpoints without a key.
SPELLING = re.compile(
    r"""
      %(?:25)*(?P<percent>[0-9a-f]{2})
    | \\+(?:u00|x)(?P<escape>[0-9a-f]{2})
    | (?P<entity>&(?:\#\d{1,7}|\#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);)
    | \\+[nrt]
    | (?P<plain>[^\s\\])
    """,
    re.IGNORECASE | re.VERBOSE,
)


def masked(text: str, secrets: Iterable[str]) -> str:
    """The text with each secret, and each longer piece of one, replaced by dots.

    Found are also secrets that are URL-, JSON-, HTML- or base64-encoded or broken over lines.
    """
    secrets = [secret for secret in secrets if secret]
    pieces = {piece for secret in secrets for form in _forms(secret) for piece in _pieces(form)}
    spellings = _spellings(text)
    plain = _plain(spellings)
    hidden = bytearray(len(plain))
    for size in {len(piece) for piece in pieces}:
        for start in range(len(plain) - size + 1):
            if plain[start : start + size] in pieces:
                hidden[start : start + size] = b"\x01" * size
    shown, end = "", 0
    for run in re.finditer(rb"\x01+", hidden):
        shown += text[end : spellings[run.start()].start()] + MASK
        end = spellings[run.end() - 1].end()
    shown += text[end:]
    for secret in secrets:  # With what is before it, it may have been read otherwise: %00.
        shown = shown.replace(secret, MASK)
    return shown


def _spellings(text: str) -> list[re.Match[str]]:
    """Where the characters of a text are, without blanks and backslashes."""
    return [found for found in SPELLING.finditer(text) if _character(found).strip(" \t\r\n\\")]


def _plain(spellings: Iterable[re.Match[str]]) -> str:
    return "".join(_character(found) for found in spellings)


def _character(found: re.Match[str]) -> str:
    if digits := found["percent"] or found["escape"]:
        return chr(int(digits, 16))
    if entity := found["entity"]:
        return html.unescape(entity)[:1]
    return found["plain"] or ""


def _forms(secret: str) -> Iterator[str]:
    """A secret, and what of it is always the same within the base64 of a longer text."""
    yield _plain(_spellings(secret))
    data = secret.encode("utf-8", "surrogatepass")
    for before in range(3):
        coded = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        whole = (before + len(data)) * 8 // 6
        inner = coded[-(-before * 8 // 6) : whole]
        if len(inner) > SHOWN:
            yield inner
            yield inner.translate(str.maketrans("+/", "-_"))


def _pieces(form: str) -> Iterator[str]:
    size = min(len(form), SHOWN + 1)
    return (form[start : start + size] for start in range(len(form) - size + 1) if size)


class Screen:
    """Takes secrets out of what is typed, piece by piece: what may begin one is held back.

    Only as they are spelled, which is quick, and only those that are not likely words.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = [secret for secret in secrets if len(secret) >= SCREENED]
        self._held = ""

    def show(self, text: str) -> str:
        """What may be shown by now."""
        if not self._secrets:
            return text
        text = self.whole(self._held + text)
        held = max(_begun(text, secret) for secret in self._secrets)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def whole(self, value: T) -> T:
        """A finished text, or the same within lists and objects as they are in JSON."""
        shown: Any = value
        if isinstance(value, str):
            for secret in self._secrets:
                shown = shown.replace(secret, MASK)
        elif isinstance(value, Mapping):
            shown = {self.whole(key): self.whole(item) for key, item in value.items()}
        elif isinstance(value, list | tuple):
            shown = type(value)(map(self.whole, value))
        return shown  # type: ignore[no-any-return]


def _begun(text: str, secret: str) -> int:
    """How many characters at the end of a text may be the beginning of a secret."""
    most = min(len(text), len(secret) - 1)
    return next((size for size in range(most, 0, -1) if text.endswith(secret[:size])), 0)
