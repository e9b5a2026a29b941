"""The report recipe: what it reads from requests, and what it really computes from tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agent import Agent, DirectoryStore, DockerSandbox, Input, RecipeModel
from agent.events import ArtifactSaved, RunEnded
from agent.recipes.report import RECIPE
from agent.recipes.request import Request
from agent.sandbox import Printed
from tests.agent.recipes.conftest import RunRecipe, handed


def asked(*texts: str, inputs: tuple[str, ...] = ()) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts, inputs))


def test_the_table_that_the_request_names_is_used() -> None:
    both = ("old.csv", "sales.xlsx")
    assert asked("a report of sales.xlsx please", inputs=both)["input"] == "sales.xlsx"
    assert asked("a report of my data", inputs=both)["input"] == "old.csv"
    assert asked("a report", inputs=("photo.jpg",))["input"] == ""


def test_title_colour_theme_and_language_come_from_request_and_follow_ups() -> None:
    first = "Make a report called “Sales 2025” from the CSV"
    followed = asked(first, "make it green", "dark, please", "换成中文")
    assert followed["title"] == "Sales 2025"
    assert followed["accent"].startswith("#")
    assert (followed["theme"], followed["lang"]) == ("dark", "zh")
    assert followed["files"] == asked(first)["files"]


@pytest.mark.parametrize(
    "text",
    ["Analyse this CSV", "a report with charts", "用上传的表格做一份数据报告", "做个数据可视化"],
)
def test_requests_for_reports_are_recognised(text: str) -> None:
    assert RECIPE.fits(Request((text,))) >= 0.5


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("用这个表格做一份销售报告", "销售报告"),
        ("Make a sales report from this table", "Sales report"),
        ("做一份数据报告", ""),
        ("A report of sales.csv", ""),
    ],
)
def test_a_report_is_called_what_the_request_calls_it(text: str, title: str) -> None:
    assert asked(text, inputs=("sales.csv",))["title"] == title


def test_a_table_alone_suggests_a_report() -> None:
    assert RECIPE.fits(Request(("what do you see here?",), ("sales.csv",))) >= 0.3
    assert RECIPE.fits(Request(("what do you see here?",))) == 0


def page_data(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.+?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def text_of(html: str) -> str:
    body = html[html.index("<main>") : html.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("&#34;", '"').split())


@pytest.mark.engine
def test_an_english_report_computes_its_figures_and_fetches_nothing(
    run_recipe: RunRecipe, tmp_path: Path
) -> None:
    rows = ["Date,Region,Revenue (EUR)"]
    for month in range(1, 13):
        rows += [
            f'2025-{month:02}-15,North,"{1000 + 100 * month:,}.50"',
            f"2025-{month:02}-20,South,{'n/a' if month == 4 else 500}",
        ]
    table = tmp_path / "sales.csv"
    table.write_text("\n".join(rows), "utf-8")
    _, folder = run_recipe("A report called “Coffee” from the CSV", inputs=[table])
    html = (folder / "report.html").read_text("utf-8")
    assert not re.search(r"<(?:script|img|iframe)[^>]+src=|<link[^>]+href=\"(?!data:)", html)
    text = text_of(html)
    # 12 × 1000.50 + 100 × 78 + 11 × 500
    assert "Total Revenue (EUR) 25.3K EUR" in text
    assert "By Region, North accounts for 78% of Revenue (19.8K EUR of 25.3K EUR)." in text
    assert "highest in Dec 2025 with 2,700 EUR and lowest in Jan 2025 with 1,600 EUR" in text
    assert "Not charted, because values are missing there: Apr 2025." in text
    assert "1 of 72 cells are missing or unusable: Revenue (EUR) 1 (4.2%)" in text
    charts = {chart["kind"]: chart for chart in page_data(html)["charts"]}
    assert [line["name"] for line in charts["line"]["lines"]] == ["North", "South"]
    assert [bar["value"] for bar in charts["bars"]["bars"]] == [19806.0, 5500.0]
    with Image.open(folder / "report.png") as picture:
        assert picture.size == (1600, 1000)
        assert len(picture.convert("RGB").getcolors(1_600_000) or ()) > 100


@pytest.mark.engine
def test_a_chinese_gbk_table_is_reported_in_chinese(run_recipe: RunRecipe, tmp_path: Path) -> None:
    table = tmp_path / "门店.csv"
    lines = ["月份;门店;销售额（元）;客单价"]
    for month in range(1, 9):
        lines += [
            f"2025年{month}月;徐汇店;{20000 + 1000 * month};38,5",
            f"2025年{month}月;静安店;10000;41,5",
        ]
    table.write_bytes("\r\n".join(lines).encode("gbk"))
    _, folder = run_recipe("用这个表格做一份数据报告，标题《门店销售》", inputs=[table])
    html = (folder / "report.html").read_text("utf-8")
    assert 'lang="zh-CN"' in html
    text = text_of(html)
    assert "门店销售" in text
    assert "销售额合计 (元) 27.6万元" in text
    assert "徐汇店占销售额的 71%" in text
    assert "编码 GBK/GB18030，分隔符“；”" in text
    assert "没有缺失值" in text
    assert (folder / "report.png").stat().st_size > 20_000


TABLES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "a semicolon and decimal commas": (
        "Ort;Preis;Anteil\nA;1.234,50 €;12,5%\nB;-3,25 €;7%\nC;n/a;8%\n".encode(),
        {"kinds": ["text", "number", "number"], "sum": 1231.25, "units": ["", "€", "%"]},
    ),
    "a title line, thousands, brackets": (
        b'Annual figures\n\nName,Amount\nx,"1,234,567"\ny,(500)\nz,oops\nw,3\nv,4\nu,5\nt,6\n',
        {"kinds": ["text", "number"], "sum": 1234567 - 500 + 18, "odd": ["oops"]},
    ),
    "tabs and UTF-16": (
        "月份\t销量\n2024年1月\t1.2万\n2024年2月\t8000\n2024年3月\t\n".encode("utf-16"),
        {"kinds": ["date", "number"], "sum": 20000, "missing": 1},
    ),
    "no header": (
        b"2024-01-01,5\n2024-01-02,6\n2024-01-03,7\n",
        {"kinds": ["date", "number"], "sum": 18, "rows": 3},
    ),
    "days first": (
        b"when,v\n01/02/2024,1\n13/02/2024,2\n28/02/2024,3\n",
        {"kinds": ["date", "number"], "sum": 6, "first": "2024-02-01"},
    ),
    "numbers that only name rows": (
        b"id,group,v\n101,a,1\n102,b,2\n103,a,3\n104,b,4\n105,a,5\n106,b,6\n",
        {"kinds": ["identifier", "category", "number"], "sum": 21},
    ),
    "ragged rows": (b"a,b\n1,2,3\n4\n5,6\n7,8\n", {"kinds": ["number", "number"], "ragged": 2}),
}
PROBE = """
import json, sys
from pathlib import Path
import make_table
seen = {}
for path in sorted(Path("tables").iterdir()):
    table = make_table.read(path, False)
    numbers = table.kind("number")
    dates = table.kind("date")
    seen[path.stem] = {
        "kinds": [c.kind for c in table.columns], "units": [c.unit for c in table.columns],
        "sum": float(numbers[0].values.sum()) if numbers else None,
        "odd": [o for c in table.columns for o in c.odd], "ragged": table.ragged,
        "missing": sum(c.missing for c in table.columns), "rows": len(table.cells),
        "first": str(dates[0].values.min().date()) if dates else "",
    }
print(json.dumps(seen))
"""


@pytest.mark.engine
def test_tables_are_read_as_people_save_them() -> None:
    with DockerSandbox() as sandbox:
        for path, text in handed("a report of my data").items():
            sandbox.write(path, [text.encode()])
        sandbox.write("/workspace/probe.py", [PROBE.encode()])
        for name, (content, _) in TABLES.items():
            sandbox.write(f"/workspace/tables/{name}.csv", [content])
        printed = b"".join(
            item.data
            for item in sandbox.run("cd /workspace && python3 probe.py", 60)
            if isinstance(item, Printed)
        )
    seen = json.loads(printed)
    for name, (_, expected) in TABLES.items():
        assert {key: seen[name][key] for key in expected} == expected, name


SMALL: dict[str, tuple[str, list[str]]] = {
    "two columns of numbers": ("x,y\n1,5\n2,7\n4,6\n", ["Row 3", "Row 2", "Row 1"]),
    "a name and a number": (
        "Town,People\nOslo,5\nBergen,3\nTromsø,9\n",
        ["Tromsø", "Oslo", "Bergen"],
    ),
    "marks alone": ("Mark\n" + "5\n4\n5\n" * 9, ["5", "4"]),
    "two months": ("Month,Sales\n2025-01,5\n2025-02,6\n", ["Row 2", "Row 1"]),
}
TOLD = """
import json
from pathlib import Path
from make_analysis import analyse
from make_table import read
told = {}
for path in Path("tables").iterdir():
    story = analyse(read(path, False), "", False)
    told[path.stem] = {"charts": story.charts, "findings": story.findings}
print(json.dumps(told))
"""


def told(tables: dict[str, str]) -> dict[str, Any]:
    """The charts and findings of each table."""
    with DockerSandbox() as sandbox:
        for path, text in handed("a report of my data").items():
            sandbox.write(path, [text.encode()])
        sandbox.write("/workspace/told.py", [TOLD.encode()])
        for name, content in tables.items():
            sandbox.write(f"/workspace/tables/{name}.csv", [content.encode()])
        printed = b"".join(
            item.data
            for item in sandbox.run("cd /workspace && python3 told.py", 60)
            if isinstance(item, Printed)
        )
    return dict(json.loads(printed))


@pytest.mark.engine
def test_what_suits_no_other_chart_is_shown_by_its_highest_rows_or_counted() -> None:
    stories = told({name: content for name, (content, _) in SMALL.items()})
    for name, (_, bars) in SMALL.items():
        (chart,) = stories[name]["charts"]
        assert [bar["name"] for bar in chart["bars"]] == bars, name
        assert stories[name]["findings"], name


@pytest.mark.engine
def test_an_outlier_is_found_by_its_row_of_the_data_whatever_stands_above() -> None:
    table = "v,w\n" + "\n".join(f"{value},1" for value in [*range(100, 130), 9000])
    stories = told({"plain": table, "titled": f"Figures\n\n{table}"})
    for story in stories.values():
        assert any("1 row lies far outside" in said for said in story["findings"])
        assert any("9,000, in row 31 of the data." in said for said in story["findings"])


@pytest.mark.engine
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hello\nthere is no table\nreally\n", "no numeric column"),
        ("  \n", "is empty"),
        ("a,b,c\n", "no data rows"),
        (",,\n,,\n", "holds no data"),
    ],
)
def test_a_file_without_data_is_refused_with_its_reason(
    tmp_path: Path, content: str, said: str
) -> None:
    table = tmp_path / "bad.csv"
    table.write_text(content)
    agent = Agent(RecipeModel(), DockerSandbox(), store=DirectoryStore(tmp_path / "store"))
    events = list(agent.run("a report of this CSV", [Input.from_path(table)]))
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    assert said in ended.summary
    assert not [event for event in events if isinstance(event, ArtifactSaved)]
