"""By what a text is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.library.words import indexed, wanted


def found(query: str, text: str) -> bool:
    words = wanted(query)
    return bool(words) and all(
        any(each.startswith(word) for each in indexed(text)) for word in words
    )


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("poster", "Summer_Poster-v2.png"),
        ("sum png", "summer_poster.png"),
        ("cafe", "Das Café"),
        ("ＡＢＣ", "abc"),
        ("STRASSE", "Straße"),
        ("地图", "京都三日地图"),
        ("京都地图", "京都的地图，京都地图"),
        ("图", "京都地图"),
        ("京都 map", "map of 京都"),
        ("v2", "京都v2地图"),
        ("2026", "plan 2026-04-17"),
        ("서울", "서울지도"),
    ],
)
def test_a_text_is_found_by_the_beginnings_of_its_words(query: str, text: str) -> None:
    assert found(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("oster", "poster"),
        ("地都", "京都地图"),
        ("poster map", "a poster"),
        ("!?", "!?"),
        ("", "a"),
    ],
)
def test_and_by_nothing_else(query: str, text: str) -> None:
    assert not found(query, text)


@given(st.text(max_size=200))
def test_words_are_letters_and_digits_whatever_was_typed(text: str) -> None:
    for word in [*indexed(text), *wanted(text)]:
        assert word.isalnum() or not any(char.isascii() for char in word), word
        assert len(word) <= 40
    assert len(wanted(text)) <= 12


@given(st.text(max_size=60))
def test_a_text_is_found_by_itself(text: str) -> None:
    assert not wanted(text) or found(text, text)
