"""However a provider spells the key back, nobody can read it from what is left."""

import base64
import html
import json
import re
import textwrap
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.masking import MASK, SHOWN, masked

KEY = 'sk-proj-Canary/42+aZ=9&"7\\Qx_tail'
SPELLINGS = {
    "raw": KEY,
    "url": quote(KEY, safe=""),
    "url, lower case": re.sub("%..", lambda found: found[0].lower(), quote(KEY, safe="")),
    "form": quote_plus(KEY),
    "url twice": quote(quote(KEY, safe=""), safe=""),
    "all percent": "".join(f"%{byte:02X}" for byte in KEY.encode()),
    "json": json.dumps(KEY),
    "json twice": json.dumps(json.dumps(KEY)),
    "json, all escaped": "".join(f"\\u{ord(char):04x}" for char in KEY),
    "python": repr({"key": KEY}),
    "python, all escaped": "".join(f"\\x{ord(char):02x}" for char in KEY),
    "html": html.escape(KEY),
    "html, all escaped": "".join(f"&#{ord(char)};" for char in KEY),
    "html, hexadecimal": "".join(f"&#x{ord(char):x};" for char in KEY),
    "lines": "\n".join(textwrap.wrap(KEY, 10)),
    "escaped lines": json.dumps("\r\n".join(textwrap.wrap(KEY, 5))),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 of a header": base64.b64encode(f"Bearer {KEY}\n".encode()).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(f"{KEY}>>>".encode()).decode(),
    "base64 in lines": base64.encodebytes(f"{KEY}{KEY}{KEY}".encode()).decode(),
    "base64 in an address": quote(base64.b64encode(f"user:{KEY}".encode()), safe=""),
    "cut": KEY[:20],
    "cut in front": KEY[5:],
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_is_masked_however_it_is_spelled(spelled):
    shown = masked(f"Before: {spelled} :after", [KEY])
    assert shown.startswith("Before: ")
    assert shown.endswith(" :after")
    assert MASK in shown
    assert "Canary" not in shown
    for start in range(len(spelled) - 11):
        assert spelled[start : start + 12] not in shown


@pytest.mark.parametrize("before", ["", "1", "12", "123"])
def test_base64_is_masked_at_every_alignment(before):
    coded = base64.b64encode(f"{before}{KEY}rest".encode()).decode()
    shown = masked(coded, [KEY])
    assert MASK in shown
    for part in shown.split(MASK):
        for start in range(4):
            whole = (len(part) - start) // 4 * 4
            assert b"Canary" not in base64.b64decode(part[start:][:whole])


def test_texts_without_a_secret_are_left_as_they_are():
    text = "100% of “quota”\n\\used\\n; see https://x.test/a%20b?c=d&amp;e — 天气"
    assert masked(text, [KEY, ""]) == text
    assert masked(text, []) == text


def test_a_short_secret_is_masked_only_as_a_whole():
    assert masked("hunter2 hunts hunter%32", ["hunter2"]) == f"{MASK} hunts {MASK}"


@given(
    secret=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40),
    before=st.text(max_size=30),
    after=st.text(max_size=30),
)
def test_no_readable_piece_of_any_secret_is_left(secret, before, after):
    shown = masked(before + secret + after, [secret])
    left = shown.split(MASK)
    pieces = [secret[at : at + SHOWN + 1] for at in range(len(secret) - SHOWN)]
    assert not [piece for piece in pieces if any(piece in part for part in left)]
