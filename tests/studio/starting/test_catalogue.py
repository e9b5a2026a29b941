"""The starting points: what they ask for, and that every blank reaches the recipe."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from agent.recipes import RECIPES, RecipeModel
from agent.recipes.request import Request
from studio.projects.requests import BadRequest
from studio.starting.catalogue import LANGUAGES, Field, Point, of_language, point, points
from studio.starting.shown import KINDS

EVERY = pytest.mark.parametrize("each", points(), ids=lambda each: each.key)


def parameters(each: Point, values: Mapping[str, str]) -> dict[str, Any]:
    """Of the recipe that a request of this point is for, which is the one it says."""
    request = Request((each.filled(values),), (each.table,) if each.table else ())
    recipe = RecipeModel().choose(request)
    assert recipe
    assert recipe.name == each.kind, request.text
    return recipe.parameters(request)


def read(made: dict[str, Any], field: Field) -> str:
    """What arrived of a field, as its values are written."""
    found = []
    for path in field.reads:
        value: Any = made
        for part in path.split("."):
            value = value[int(part) if part.isdecimal() else part]
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = ", ".join(value)
        found.append(f"{value:g}" if isinstance(value, int | float) else str(value))
    return " ".join(found)


def arrives(made: dict[str, Any], field: Field, value: str) -> bool:
    words, found = field.words(value), read(made, field).casefold()
    if field.kind == "choice" and words != value:
        return found == value.casefold()
    # A list in the sentence is a list there; a title has its own capitals.
    return all(part.casefold() in found for part in re.split(r"[,，、:：]\s*|\s+and\s+", words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_points_of_every_kind(language: str) -> None:
    kinds = Counter(each.kind for each in points() if each.language == language)
    assert set(kinds) == set(KINDS) == {recipe.name for recipe in RECIPES}
    assert min(kinds.values()) >= 2
    assert sum(kinds.values()) >= 14


def test_readers_of_a_language_get_its_points() -> None:
    assert {each.language for each in of_language("zh-hans")} == {"zh"}
    assert {each.language for each in of_language("en")} == {"en"}
    assert point("en", "piano") in of_language(None)
    assert point("zh", "piano") is None


@EVERY
def test_a_points_fields_are_the_blanks_of_its_request(each: Point) -> None:
    assert set(re.findall(r"\{(\w+)\}", each.request)) == set(each.fields)
    assert sum(other.key == each.key for other in points()) == 1
    assert "".join(field.usual if field else text for text, field in each.parts) == each.filled({})
    assert bool(each.read_table()) == (each.kind == "report")


@EVERY
def test_whatever_is_chosen_reaches_the_recipe(each: Point) -> None:
    possible = [[(n, v) for v in f.choices or [f.value]] for n, f in each.fields.items()]
    for chosen in itertools.product(*possible):
        made = parameters(each, dict(chosen))
        missed = [(name, v) for name, v in chosen if not arrives(made, each.fields[name], v)]
        assert not missed, each.filled(dict(chosen))


@EVERY
def test_numbers_and_dates_reach_the_recipe(each: Point) -> None:
    for name, field in each.fields.items():
        values = {"number": (str(field.least), str(field.most)), "date": ("2031-11-05",)}
        for value in values.get(field.kind, ()):
            assert arrives(parameters(each, {name: value}), field, value), each.filled(
                {name: value}
            )


def test_words_of_ones_own_reach_the_recipe() -> None:
    for key, name, words in (
        ("en/concert", "event", "Brass band evening"),
        ("en/concert", "place", "Old School"),
        ("en/birthday-card", "name", "Bartholomew"),
        ("en/countdown", "name", "Zoë"),
        ("en/bookshop", "title", "Twelve months of novels"),
        ("en/road-trip", "stops", "Lillehammer, Trondheim"),
        ("en/pitch", "first", "Money: none, some"),
        ("zh/lanterns", "event", "校园歌会"),
        ("zh/birthday-card", "name", "老师"),
        ("zh/wedding", "one", "张伟"),
        ("zh/road-trip", "stops", "泸沽湖、稻城"),
    ):
        each = point(*key.split("/"))
        assert each
        assert arrives(parameters(each, {name: words}), each.fields[name], words), key


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", " \0\n"),
        ("name", "x" * 25),
        ("age", "0"),
        ("age", "100"),
        ("age", "6.5"),
        ("age", "９"),
        ("age", "9" * 5000),
        ("style", "balloons"),
        ("style", ""),
    ],
)
def test_what_no_blank_offers_is_refused_with_its_name(name: str, value: str) -> None:
    each = point("en", "birthday-card")
    assert each
    with pytest.raises(BadRequest, match=each.fields[name].label):
        each.filled({name: value})


@pytest.mark.parametrize("value", ["", "2027-02-30", "17 April", "99999-01-01"])
def test_a_day_that_there_is_not_is_refused(value: str) -> None:
    each = point("en", "concert")
    assert each
    with pytest.raises(BadRequest):
        each.filled({"day": value})


def test_a_date_is_said_without_a_year_and_offered_as_the_next_one() -> None:
    for key, words in (("en/concert", "17 April"), ("zh/lanterns", "2月20日")):
        each = point(*key.split("/"))
        assert each
        field = each.fields["day"]
        assert (field.usual, field.words(field.initial)) == (words, words)
        days = (date.fromisoformat(field.initial) - timezone.localdate()).days
        assert 0 <= days <= 366


def test_blanks_keep_their_words_in_one_line() -> None:
    each = point("en", "birthday-card")
    assert each
    assert "for Anna Maria, who" in each.filled({"name": "  Anna\r\n Maria "})
