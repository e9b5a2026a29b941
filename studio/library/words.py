"""What a text is found by: how its words begin, and pairs of signs where words have no gaps.

Both databases are given these and asked for them, and neither splits or folds anything itself, so
that a search finds the same everywhere, and two Chinese signs as well as one or four.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 40
# Scripts that put no spaces between words: Thai to Khmer, Chinese, Japanese, Korean.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
PIECE = re.compile(rf"(?P<unspaced>(?:(?=\w)[{UNSPACED}])+)|[^\W_{UNSPACED}]+")


def folded(text: str) -> str:
    """Without what makes no difference: case, accents, full and half width."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare.casefold())


def indexed(text: str) -> set[str]:
    """The words to keep of a text."""
    return set(_words(text, last=True))


def wanted(query: str, most: int = 12) -> list[str]:
    """Beginnings of words that a text must have to be found, at most so many."""
    return list(dict.fromkeys(_words(query, last=False)))[:most]


def _words(text: str, *, last: bool) -> Iterator[str]:
    for piece in PIECE.finditer(folded(text)):
        word = piece[0]
        if piece["unspaced"] is None or len(word) == 1:
            yield word[:LONGEST]
            continue
        for start in range(len(word) - 1):
            yield word[start : start + 2]
        if last:
            # No pair begins with it, and somebody may look for it alone.
            yield word[-1]
