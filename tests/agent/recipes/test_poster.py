"""The poster recipe: requests to parameters, and real sheets from the real sandbox."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from agent import Exchange
from agent.events import Event, RunEnded, ToolFinished
from agent.recipes.poster import RECIPE
from agent.recipes.request import Request
from tests.agent.recipes.conftest import RunRecipe


def asked(*texts: str, inputs: tuple[str, ...] = ()) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts, inputs))


@pytest.mark.parametrize(
    ("text", "sheet", "pixels"),
    [
        ("a poster for the jazz night", (297, 420, "mm"), (3508, 4961, 300)),
        ("an A2 poster for the jazz night", (420, 594, "mm"), (4961, 7016, 300)),
        ("an A4 landscape poster for the jazz night", (297, 210, "mm"), (3508, 2480, 300)),
        ("给足球赛做一张海报，1080x1350像素", (1080, 1350, "px"), (1080, 1350, None)),
        ("an A0 poster for the jazz night", (841, 1189, "mm"), (6622, 9362, 200)),
    ],
)
def test_the_sheet_has_the_size_that_was_asked_for(
    text: str, sheet: tuple[Any, ...], pixels: tuple[Any, ...]
) -> None:
    found = asked(text)
    assert tuple(found["size"].values()) == sheet
    assert tuple(found["pixels"].values()) == pixels


def test_an_input_gives_the_words_unless_the_request_names_a_title() -> None:
    plain = asked("Make a poster for our conference from event.json", inputs=("event.json",))
    assert (plain["input"], plain["title"]) == ("event.json", "")
    titled = asked("Make a poster titled “Deep Sea Day” from it", inputs=("event.json",))
    assert titled["title"] == "Deep Sea Day"


def test_a_follow_up_keeps_words_and_file_names() -> None:
    first = "A poster for our science fair on 12 May 2027 in the gym"
    followed = asked(first, "make it green and A4")
    assert followed["title"] == "Science Fair"
    assert followed["files"] == asked(first)["files"]
    assert followed["colours"] == ["#2f9e5b"]
    assert followed["size"]["height"] == 297
    assert asked(first, "another version")["seed"] != asked(first)["seed"]


def check_passed(events: list[Event]) -> bool:
    """Whether the image's own check of the files found nothing."""
    checks = [e for e in events if isinstance(e, ToolFinished) and e.call.startswith("check")]
    return len(checks) == 1 and not checks[0].failed


def texts(svg: Path) -> str:
    root = ElementTree.parse(svg).getroot()
    namespace = "{http://www.w3.org/2000/svg}"
    return " ".join("".join(text.itertext()) for text in root.iter(f"{namespace}text"))


@pytest.mark.engine
def test_an_english_poster_says_all_that_the_file_says(
    run_recipe: RunRecipe, tmp_path: Path
) -> None:
    event = {
        "meeting": {"name": "Forest Sound Days", "subtitle": "Ears to the ground"},
        "when": {"start": "3 May 2028", "end": "5 May 2028"},
        "location": "Old Sawmill, Oulu",
        "speakers": [
            {"name": "Aino Laine", "talk": "What bark beetles hear"},
            {"name": "Tom Reyes", "talk": "Microphones in moss"},
        ],
        "topics": ["Birds", "Wind", "Silence"],
        "register_by": "1 April 2028",
        "website": "https://forestsound.example/2028",
        "palette": ["#2d5a3d", "#e0a03c"],
    }
    source = tmp_path / "days.json"
    source.write_text(json.dumps(event), encoding="utf-8")
    events, folder = run_recipe("Make a poster from days.json, 900x1273 px", [source])
    svg, png = folder / "days-poster.svg", folder / "days-poster.png"
    said = texts(svg).lower()
    for words in (
        "Forest", "Sound", "Days", "Ears to the ground", "3 May 2028", "5 May 2028",
        "Old Sawmill, Oulu", "Aino Laine", "What bark beetles hear", "Tom Reyes",
        "Microphones in moss", "Birds", "Silence", "1 April 2028", "forestsound.example/2028",
    ):  # fmt: skip
        assert words.lower() in said
    assert "#2d5a3d" in svg.read_text("utf-8")
    with Image.open(png) as image:
        assert image.size == (900, 1273)
        assert len(image.convert("RGB").resize((90, 127)).getcolors(90 * 127) or ()) > 100
    assert check_passed(events)


@pytest.mark.engine
def test_a_chinese_poster_carries_its_fonts_and_follows_up(run_recipe: RunRecipe) -> None:
    prompt = "给社区春节联欢晚会做一张A5海报，2027年2月5日晚上7点，社区活动中心，免费入场"
    events, folder = run_recipe(prompt)
    svg, png = folder / "社区春节联欢晚会-poster.svg", folder / "社区春节联欢晚会-poster.png"
    said = re.sub(r"\s", "", texts(svg))
    for words in ("社区春节", "联欢晚会", "2027年2月5日晚上7点", "社区活动中心", "免费入场"):
        assert words in said
    assert "@font-face" in svg.read_text("utf-8")
    with Image.open(png) as image:
        assert image.size == (1748, 2480)
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        reds = image.convert("RGB").resize((1, 1)).getpixel((0, 0))
    assert check_passed(events)
    assert isinstance(reds, tuple)
    assert reds[0] > 1.5 * reds[2]

    _, folder = run_recipe("换成蓝色，1080x1440", history=[Exchange(prompt, "海报做好了。")])
    with Image.open(folder / "社区春节联欢晚会-poster.png") as image:
        assert image.size == (1080, 1440)
        blues = image.convert("RGB").resize((1, 1)).getpixel((0, 0))
    assert isinstance(blues, tuple)
    assert blues[2] > 1.3 * blues[0]


@pytest.mark.engine
def test_a_file_without_a_title_is_refused_in_the_users_language(
    run_recipe: RunRecipe, tmp_path: Path
) -> None:
    source = tmp_path / "event.json"
    source.write_text('{"venue": ""}', encoding="utf-8")
    events, folder = run_recipe("根据 event.json 做一张海报", [source])
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    assert "没有找到标题" in ended.summary
    assert not list(folder.iterdir())
