from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.artifacts.ranges import GAP, MOST_PARTS, wanted


@pytest.mark.parametrize(
    ("header", "parts"),
    [
        ("bytes=0-0", [range(1)]),
        ("bytes=10-", [range(10, 1000)]),
        ("bytes=-10", [range(990, 1000)]),
        ("bytes=-5000", [range(1000)]),
        ("Bytes = 990-5000", [range(990, 1000)]),
        ("bytes=0-9,500-509", [range(10), range(500, 510)]),
        ("bytes=500-509,0-9", [range(10), range(500, 510)]),
        ("bytes=0-9,20-29", [range(30)]),
        ("bytes=0-499,100-199", [range(500)]),
        ("bytes=0-9,2000-", [range(10)]),
        ("bytes=1000-", []),
        ("bytes=-0", []),
        ("bytes=9-0", None),
        ("bytes=-", None),
        ("bytes=", None),
        ("bytes=0-9,x", None),
        ("bytes=" + "9" * 5000 + "-", None),
        ("lines=0-9", None),
        ("nonsense", None),
    ],
)
def test_a_header_asks_for_these_bytes(header: str, parts: list[range] | None) -> None:
    assert wanted(header, 1000) == parts


def test_too_many_pieces_are_the_whole_file() -> None:
    pieces = [f"{number * 1000}-{number * 1000}" for number in range(MOST_PARTS + 1)]
    assert wanted(f"bytes={','.join(pieces)}", 10**9) is None
    assert len(wanted(f"bytes={','.join(pieces[:-1])}", 10**9) or []) == MOST_PARTS


NUMBERS = st.one_of(st.just(""), st.integers(0, 3000).map(str))
SPECS = st.tuples(NUMBERS, NUMBERS).map("-".join) | st.text(max_size=5)


@given(st.lists(SPECS, max_size=40).map(",".join), st.integers(0, 2000))
def test_whatever_is_asked_for_is_inside_in_order_and_apart(specs: str, size: int) -> None:
    parts = wanted(f"bytes={specs}", size) or []
    assert len(parts) <= MOST_PARTS
    at = -GAP - 1
    for part in parts:
        assert part.start > at + GAP
        at = part.stop
        assert 0 < len(part) <= part.stop <= size
