"""The slides recipe: what it reads from requests and inputs, and the decks it makes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from agent import Agent, DirectoryStore, DockerSandbox, Input, RecipeModel
from agent.events import ArtifactSaved, Event, RunEnded
from agent.recipes.request import Request
from agent.recipes.slides import RECIPE, outline
from tests.agent.recipes.conftest import RunRecipe, written

BAKERY = (
    "Make slides about our bakery: 1) Our story: founded in 1987 by Rosa, family of four "
    "2) What we bake: rye sourdough, spelt rolls and cinnamon knots 3) Sales: 2022 150, 2023 185, "
    "2024 240 4) Customers: 94% come back within a month 5) Plans for 2027"
)


def read(*texts: str, inputs: tuple[str, ...] = ()) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts, inputs))


def test_numbered_content_becomes_sections_with_all_their_points() -> None:
    sections = {s["title"]: s["points"] for s in read(BAKERY)["sections"]}
    assert sections == {
        "Our story": ["Founded in 1987 by Rosa", "Family of four"],
        "What we bake": ["Rye sourdough", "Spelt rolls", "Cinnamon knots"],
        "Sales": ["2022 150", "2023 185", "2024 240"],
        "Customers": ["94% come back within a month"],
        "Plans for 2027": [],
    }


def test_chinese_content_becomes_sections_with_all_their_points() -> None:
    made = read("做一份关于茶文化的PPT：一、起源：神农尝百草，陆羽著《茶经》；二、茶类：绿茶、红茶")
    assert made["title"] == "茶文化"
    assert made["lang"] == "zh"
    assert made["look"] == "ink"
    assert made["sections"] == [
        {"title": "起源", "points": ["神农尝百草", "陆羽著《茶经》"]},
        {"title": "茶类", "points": ["绿茶", "红茶"]},
    ]


def test_labelled_points_become_headings() -> None:
    made = read("做一份幻灯片，主题：社区花园；要点：为什么需要、今年的成果、明年的计划")
    assert made["title"] == "社区花园"
    assert [s["title"] for s in made["sections"]] == ["为什么需要", "今年的成果", "明年的计划"]


@pytest.mark.parametrize(
    ("text", "title", "headings"),
    [
        (
            "幻灯片：社区图书馆改造计划；要点：1）现状：座位不足 2）预算：30万元",
            "社区图书馆改造计划",
            ["现状", "预算"],
        ),
        ("Slides: Our bakery. Points: sourdough, prices", "Our bakery", ["Sourdough", "Prices"]),
        ("Make slides. Topic: e-bikes. Points: cost, range", "E-bikes", ["Cost", "Range"]),
        (
            "A deck about tea with sections origins, brewing and etiquette",
            "Tea",
            ["Origins", "Brewing", "Etiquette"],
        ),
        (
            "帮我做一个城市骑行的演示文稿，包括路线、装备、安全",
            "城市骑行",
            ["路线", "装备", "安全"],
        ),
        (
            "制作PPT：《红楼梦》人物分析，分为贾宝玉、林黛玉两部分",
            "《红楼梦》人物分析",
            ["贾宝玉", "林黛玉"],
        ),
        (
            "年终总结PPT，内容包括：业绩、亮点项目、明年计划",
            "年终总结",
            ["业绩", "亮点项目", "明年计划"],
        ),
        ("小红的自我介绍PPT：爱好：画画、游泳；家乡：成都", "小红的自我介绍", ["爱好", "家乡"]),
        ("给家长会准备一份PPT：1）成绩分析 2）家校配合", "家长会", ["成绩分析", "家校配合"]),
        ("PowerPoint: Onboarding - 1. Welcome 2. Tools", "Onboarding", ["Welcome", "Tools"]),
        (
            "Presentation: Results Q3. Revenue 4.2M, costs 3.1M",
            "Results Q3",
            ["Revenue 4.2M", "Costs 3.1M"],
        ),
        (
            "Turn this into slides: Leaves. Light: water splitting, ATP. Calvin cycle: sugar.",
            "Leaves",
            ["Light", "Calvin cycle"],
        ),
        (
            "Our charity run: slides with sections Route and Safety",
            "Our charity run",
            ["Route", "Safety"],
        ),
        ("slides for my thesis defence about bird migration", "Bird migration", []),
        ("a 10-page presentation introducing Hangzhou to visitors", "Hangzhou", []),
        ("用PPT介绍一下杭州西湖", "杭州西湖", []),
        ("关于茶的幻灯片，水墨风格", "茶", []),
        ("班会课件：防溺水安全教育", "防溺水安全教育", []),
        ("做一份PPT，讲讲光合作用，面向初中生", "光合作用", []),
    ],
)
def test_title_and_headings_are_what_the_request_names(
    text: str, title: str, headings: list[str]
) -> None:
    made = read(text)
    assert (made["title"], [s["title"] for s in made["sections"]]) == (title, headings)


def test_how_it_should_look_is_not_a_point() -> None:
    made = read("Slides on tea: 1) Origins 2) Plans for 2027, in a dark look")
    assert made["sections"][-1] == {"title": "Plans for 2027", "points": []}
    assert made["look"] == "night"
    assert len(read("茶的幻灯片：1、起源 2、茶类，深色风格")["sections"]) == 2
    assert read("茶的幻灯片：1、起源 2、茶类，深色风格")["sections"][-1]["title"] == "茶类"


def test_a_quotation_stays_whole() -> None:
    made = read("茶的幻灯片，内容包括：茶类：绿茶、红茶；名句：“寒夜客来茶当酒，竹炉初红。”——杜耒")
    assert made["sections"][-1]["points"] == ["“寒夜客来茶当酒，竹炉初红。”——杜耒"]


def test_a_list_of_points_is_neither_a_speaker_nor_a_date() -> None:
    assert read("三国演义读书分享的幻灯片，要点：作者、主要人物、名场面")["speaker"] == ""
    made = read("Slides: Reading week. Points: 1) Why: books 2) When: 3-7 May 2027")
    assert made["date"] == []


def test_an_outline_of_several_lines_keeps_its_levels() -> None:
    made = read("Slides on tea:\n1. Origins\n   - China\n   - the road west\n2. Today\n   - Cafés")
    assert made["sections"] == [
        {"title": "Origins", "points": ["China", "The road west"]},
        {"title": "Today", "points": ["Cafés"]},
    ]


def test_a_mere_topic_invents_nothing() -> None:
    request = Request(("a presentation about renewable energy",))
    made = RECIPE.parameters(request)
    assert (made["title"], made["sections"]) == ("Renewable energy", [])
    assert "nothing invented" in RECIPE.describe(made, "en")
    assert "不编造" in RECIPE.describe(made, "zh")


def test_speaker_date_and_number_of_pages_are_read() -> None:
    made = read("12 slides about tides, presented by Anna Berg, 12 May 2027")
    assert (made["speaker"], made["date"], made["pages"]) == ("Anna Berg", [2027, 5, 12], 12)
    assert read("做10页关于潮汐的幻灯片，汇报人：李雷")["speaker"] == "李雷"
    assert read("做10页关于潮汐的幻灯片，汇报人：李雷")["pages"] == 10


def test_follow_ups_change_the_look_and_keep_content_and_files() -> None:
    first = read(BAKERY)
    dark = read(BAKERY, "make it dark, in green")
    assert dark["look"] == "night"
    assert dark["colours"]
    assert dark["sections"] == first["sections"]
    assert dark["files"] == first["files"]


@pytest.mark.parametrize(
    ("follow_up", "changed"),
    [
        ("换成深色", {"look": "night"}),
        ("用绿色", {"colours": ["#2f9e5b"]}),
        ("标题改成“茶与人”", {"title": "茶与人"}),
        ("换成英文", {"lang": "en"}),
        ("make it dark", {"look": "night"}),
    ],
)
def test_the_model_writes_new_parameters_for_a_follow_up(
    follow_up: str, changed: dict[str, Any]
) -> None:
    first = "做一份关于茶文化的PPT：一、起源：神农尝百草；二、茶类：绿茶、红茶"
    made, again = written(first), written(first, follow_up)
    assert {key: again[key] for key in changed} == changed
    assert (again["sections"], again["files"]) == (made["sections"], made["files"])
    assert again["title"] == changed.get("title", "茶文化")


def test_an_input_is_the_source_and_names_the_files() -> None:
    made = read("Turn my notes into slides", inputs=("photo.png", "bee notes.md"))
    assert made["input"] == "bee notes.md"
    assert made["files"]["pdf"] == "bee-notes.pdf"


@given(st.text(max_size=300))
def test_any_text_gives_json_parameters(text: str) -> None:
    json.dumps(read(f"slides {text}"))
    assert isinstance(outline.outline(text), tuple)


def pages(pdf: Path) -> list[str]:
    """The text of each page; every page is 16:9 and has its fonts inside."""
    reader = PdfReader(pdf)
    for page in reader.pages:
        assert float(page.mediabox.width / page.mediabox.height) == pytest.approx(16 / 9, abs=0.01)
    return [page.extract_text() for page in reader.pages]


def embedded(pdf: Path) -> bool:
    """Whether every font of the file is in the file."""
    resources = [cast(DictionaryObject, page["/Resources"]) for page in PdfReader(pdf).pages]
    named = [cast(DictionaryObject, found["/Font"]) for found in resources]
    fonts = [font.get_object() for found in named for font in found.values()]
    inner = [f["/DescendantFonts"][0].get_object() if "/DescendantFonts" in f else f for f in fonts]
    return bool(inner) and all(
        f["/Subtype"] == "/Type3" or any(k.startswith("/FontFile") for k in f["/FontDescriptor"])
        for f in inner
    )


def assert_self_contained(html: str) -> None:
    bare = re.sub(r"data:[a-z/0-9+.-]+;base64,[A-Za-z0-9+/=]+", "", html)
    assert not re.search(r"(?:src|href)=|url\((?!#)|@import", bare.replace("src:url()", ""))
    assert "fit " not in re.findall(r"<script>(.*?)</script>", bare, re.DOTALL)[-1]


@pytest.mark.engine
def test_an_english_outline_becomes_a_deck_with_everything_in_it(run_recipe: RunRecipe) -> None:
    _, folder = run_recipe(BAKERY)
    html = (folder / "our-bakery.html").read_text("utf-8")
    assert_self_contained(html)
    assert html.count('<section class="slide') == 8
    said = pages(folder / "our-bakery.pdf")
    assert len(said) == 8
    assert embedded(folder / "our-bakery.pdf")
    whole = re.sub(r"\s+", " ", " ".join(said))
    for words in ("Founded in 1987 by Rosa", "Cinnamon knots", "240", "94%", "Plans for 2027"):
        assert words in whole


@pytest.mark.engine
def test_chinese_markdown_with_too_much_text_is_spread_over_slides(
    run_recipe: RunRecipe, tmp_path: Path
) -> None:
    notes = tmp_path / "蜂群.md"
    points = "\n".join(
        f"- 第{k}条：城市里的蜜蜂从三月到十月都能采到花粉，" + "品种很多，" * 14 for k in range(12)
    )
    notes.write_text(
        f"# 城市养蜂\n\n## 为什么\n{points}\n\n> 蜂箱里面比外面大。 —— 老周\n\n"
        "## 花费\n| 物品 | 价格 |\n|---|---|\n| 蜂箱 | 240 |\n| 防护服 | 95 |\n",
        "utf-8",
    )
    _, folder = run_recipe("把我的笔记做成幻灯片", [notes])
    said = pages(folder / "蜂群.pdf")
    whole = re.sub(r"\s+", "", "".join(said))
    assert "城市养蜂" in re.sub(r"\s+", "", said[0])
    for k in range(12):
        assert f"第{k}条" in whole
    assert sum("为什么" in re.sub(r"\s+", "", page) for page in said) > 2
    assert "防护服" in whole
    sizes = re.findall(r"--k:([\d.]+)", (folder / "蜂群.html").read_text("utf-8"))
    assert all(float(size) >= 0.66 for size in sizes)


@pytest.mark.engine
def test_a_table_without_rows_is_refused_with_the_reason(tmp_path: Path) -> None:
    table = tmp_path / "empty.csv"
    table.write_text("month,revenue\n", "utf-8")
    store = DirectoryStore(tmp_path / "store")
    agent = Agent(RecipeModel(), DockerSandbox(), store=store)
    given_ = [Input.from_path(table)]
    events = [e for e in agent.run("make slides of this table", given_) if isinstance(e, Event)]
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    assert "empty.csv has no rows below its heading" in ended.summary
    assert not any(isinstance(e, ArtifactSaved) for e in events)
