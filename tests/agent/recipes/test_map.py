"""The map recipe: what it reads from requests, and the pages it really makes."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from agent import Exchange, recipes
from agent.recipes.map import RECIPE, days_in, stops_in
from agent.recipes.request import Request
from tests.agent.recipes.conftest import RunRecipe


def asked(*texts: str, inputs: tuple[str, ...] = ()) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts, inputs))


def names(parameters: dict[str, Any]) -> list[list[str]]:
    return [[stop["name"] for stop in day["stops"]] for day in parameters["days"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a map of Bergen, Oslo and Trondheim", [["Bergen", "Oslo", "Trondheim"]]),
        ("Make a map. Day 1: Lisbon, Sintra; Day 2: Porto", [["Lisbon", "Sintra"], ["Porto"]]),
        (
            "A map of a road trip from San Francisco to Los Angeles to Las Vegas, without routes",
            [["San Francisco", "Los Angeles", "Las Vegas"]],
        ),
        (
            "a map of the Victoria and Albert Museum, Big Ben and Tower Bridge in London",
            [["Victoria and Albert Museum", "Big Ben", "Tower Bridge"]],
        ),
        ("画一张北京、上海、广州的地图", [["北京", "上海", "广州"]]),
        ("帮我做一张从北京到上海到杭州的旅行地图", [["北京", "上海", "杭州"]]),
        ("画一张标出成都、都江堰、九寨沟的地图，深色", [["成都", "都江堰", "九寨沟"]]),
        (
            "三天两夜的地图：第一天 故宫、景山公园；第二天 爬长城；第三天 逛颐和园和圆明园，用蓝色",
            [["故宫", "景山公园"], ["长城"], ["颐和园", "圆明园"]],
        ),
    ],
)
def test_places_are_read_from_the_request(text: str, expected: list[list[str]]) -> None:
    assert names(asked(text)) == expected


def test_coordinates_times_and_notes_belong_to_their_stop() -> None:
    stops = stops_in("09:30 Café Sør 59.9165,10.7500; Opera (evening walk) 33.86°S, 151.21°E")
    assert [(s["name"], s["lat"], s["lon"]) for s in stops] == [
        ("Café Sør", 59.9165, 10.75),
        ("Opera", -33.86, 151.21),
    ]
    assert stops[0]["time"] == "09:30"
    assert stops[1]["note"] == "evening walk"


def test_days_keep_the_names_they_are_given() -> None:
    days = days_in("Day 1 (Old Town): Alfama. Day 2 – Belém: Belém Tower")
    assert [day["label"] for day in days] == ["Day 1: Old Town", "Day 2: Belém"]
    assert [day["label"] for day in days_in("第一天：故宫；第二天：天坛")] == ["第一天", "第二天"]


@pytest.mark.parametrize(
    ("text", "city", "days", "sights"),
    [
        ("Plan three days in Tokyo as an interactive map: 12 sights, routes", "Tokyo", 3, 12),
        ("东京三日游，做成地图", "东京", 3, 12),
        ("制作上海两日游路线图", "上海", 2, 8),
        ("A weekend in Copenhagen map", "Copenhagen", 1, 8),
        ("Map of Paris", "Paris", 1, 8),
    ],
)
def test_a_city_alone_asks_for_its_sights(text: str, city: str, days: int, sights: int) -> None:
    parameters = asked(text)
    assert parameters["days"] == []
    assert (parameters["city"], parameters["day_count"], parameters["sights"]) == (
        city,
        days,
        sights,
    )


def test_follow_ups_change_the_same_map() -> None:
    first = "a map of Bergen, Oslo and Trondheim"
    blue = asked(first, "make it blue", "add Stavanger", "remove Oslo")
    assert names(blue) == [["Bergen", "Trondheim", "Stavanger"]]
    assert blue["accent"].startswith("#")
    assert blue["files"] == asked(first)["files"]
    assert asked(first, "换成中文，深色")["lang"] == "zh"
    assert asked(first, "换成中文，深色")["theme"] == "dark"
    assert asked(first, "no routes please")["routes"] is False


def test_an_input_is_used_when_the_request_means_it() -> None:
    assert asked("make a map of my places", inputs=("places.csv",))["inputs"] == ["places.csv"]
    assert asked("用这个文件画一张地图", inputs=("places.json",))["inputs"] == ["places.json"]
    assert asked("a map of Oslo and Bergen", inputs=("event.json",))["inputs"] == []


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("A map of these places, titled “Oslo weekend”", "Oslo weekend", []),
        ("A map called 'Fjords' of Bergen and Flåm", "Fjords", [["Bergen", "Flåm"]]),
        ("《春游》地图：杭州、苏州", "春游", [["杭州", "苏州"]]),
    ],
)
def test_a_title_is_no_place(text: str, title: str, expected: list[list[str]]) -> None:
    parameters = asked(text, inputs=("trip.geojson",))
    assert (parameters["title"], names(parameters), parameters["city"]) == (title, expected, "")


def test_maps_of_other_kinds_are_not_meant() -> None:
    assert RECIPE.fits(Request(("a map of Norway",))) > 0.8
    assert RECIPE.fits(Request(("一张思维导图",))) == 0
    assert RECIPE.fits(Request(("draw a mind map of my ideas",))) == 0


@pytest.fixture(scope="module")
def reader() -> Iterator[ModuleType]:
    """The script that reads files of places, which needs nothing but the standard library."""
    folder = Path(recipes.__file__).parent
    sys.path[:0] = [str(folder), str(folder / "map")]
    yield importlib.import_module("make_input")
    del sys.path[:2]


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (
            [{"name": "A", "location": "Pier 2", "coordinates": {"lat": 59.9, "lng": 10.7}}],
            [("A", 59.9, 10.7)],
        ),
        ([{"location": {"lat": 1.5, "lon": 2}, "title": "B", "note": "x"}], [("B", 1.5, 2)]),
        ([{"coordinates": {"latitude": 1.5, "longitude": 2.5}}], [("1.5000, 2.5000", 1.5, 2.5)]),
        ({"days": [{"day": "1", "stops": [{"name": "C"}]}]}, [("C", None, None)]),
        (
            {
                "type": "FeatureCollection",
                "features": [
                    {"type": "Feature", "geometry": {"type": "Point"}, "properties": {}},
                    {
                        "type": "Feature",
                        "geometry": {"type": "Point", "coordinates": [10, 60, 5]},
                        "properties": {"name": "D"},
                    },
                ],
            },
            [("D", 60, 10)],
        ),
    ],
)
def test_places_are_found_in_json_however_it_is_nested(
    reader: ModuleType, tmp_path: Path, places: object, expected: list[tuple[str, float, float]]
) -> None:
    file = tmp_path / "places.json"
    file.write_text(json.dumps(places), "utf-8")
    stops, _ = reader.read_input(file, "en")
    assert [(stop["name"], stop["lat"], stop["lon"]) for stop in stops] == expected


@given(st.text(max_size=300))
def test_any_text_gives_stops_with_names_and_possible_coordinates(text: str) -> None:
    for day in days_in(text):
        for stop in day["stops"]:
            assert stop["name"]
            assert stop["lat"] is None or -90 <= stop["lat"] <= 90
            assert stop["lon"] is None or -180 <= stop["lon"] <= 180


def page_data(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.+?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def assert_fetches_nothing(html: str) -> None:
    assert not re.search(r"<(?:script|img|iframe)[^>]+src=|<link[^>]+href=\"(?!data:)", html)
    assert not re.search(r"url\((?!['\"]?(?:data:|#))", html)


@pytest.mark.engine
def test_an_english_trip_becomes_a_page_that_needs_no_network(run_recipe: RunRecipe) -> None:
    _, folder = run_recipe(
        "A map titled “North by rail”, in red. Day 1: Oslo, Hamar; Day 2: Trondheim, Xyzzy"
    )
    html = (folder / "map.html").read_text("utf-8")
    assert_fetches_nothing(html)
    assert "<h1>North by rail</h1>" in html
    assert 'lang="en"' in html
    data = page_data(html)
    assert [s["name"] for s in data["stops"]] == ["Oslo", "Hamar", "Trondheim"]
    assert data["stops"][2]["lat"] == pytest.approx(63.43, abs=0.1)
    assert [day["label"] for day in data["days"]] == ["Day 1", "Day 2"]
    red, other = (bytes.fromhex(day) for day in re.findall(r"\.d\d \{ --c: #(\w{6})", html))
    assert red[0] > 2 * max(red[1:])
    assert other[0] < max(other[1:])
    assert re.search(r"Not found offline.+Xyzzy", html, re.DOTALL)
    assert data["base"]["land"]["type"] == "MultiPolygon"
    assert len(data["base"]["land"]["coordinates"]) > 50
    assert len(html.encode()) < 1_500_000
    with Image.open(folder / "map.png") as picture:
        assert picture.size == (1600, 1000)
        assert len(picture.convert("RGB").getcolors(1_600_000) or ()) > 200


@pytest.mark.engine
def test_a_chinese_file_of_places_becomes_days_and_a_follow_up_changes_them(
    run_recipe: RunRecipe, tmp_path: Path
) -> None:
    places = tmp_path / "行程.csv"
    places.write_bytes(
        "名称,纬度,经度,天,备注\n"
        "故宫,,,1,上午去\n我的民宿,39.9300,116.4000,1,\n八达岭长城,,,2,\n坏行,95,400,2,\n".encode(
            "gbk"
        )
    )
    request = "用这个文件做一张地图"
    _, folder = run_recipe(request, inputs=[places])
    html = (folder / "map.html").read_text("utf-8")
    assert_fetches_nothing(html)
    assert 'lang="zh-CN"' in html
    data = page_data(html)
    assert [day["label"] for day in data["days"]] == ["第一天", "第二天"]
    assert [s["name"] for s in data["stops"]] == ["故宫", "我的民宿", "八达岭长城"]
    assert data["stops"][0]["lat"] == pytest.approx(39.916, abs=0.01)
    assert "第 5 行" in html
    assert "坐标不是有效的经纬度" in html

    history = [Exchange(request, "做好了")]
    _, again = run_recipe("换成深色，不要路线", inputs=[places], history=history)
    data = page_data((again / "map.html").read_text("utf-8"))
    assert data["theme"] == "dark"
    assert all(not day["route"] for day in data["days"])
