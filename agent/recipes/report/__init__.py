"""A report of a CSV or Excel file: one page with charts and findings, and a picture of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.recipes.kit.colour import readable
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request

__all__ = ["RECIPE"]

TABLES = ("csv", "tsv", "xlsx", "txt")
DARK = r"\bdark\b|深色|暗色|夜间"
LIGHT = r"\blight (?:theme|mode|version|colou?rs)\b|浅色|亮色"


def theme_in(text: str) -> str | None:
    if re.search(DARK, text, re.IGNORECASE):
        return "dark"
    return "light" if re.search(LIGHT, text, re.IGNORECASE) else None


NAMED = (
    r"\b(?:an?|the|my|our)\s+((?!data\b|short\b|nice\b|good\b|simple\b|quick\b|new\b)"
    r"(?:[A-Za-z0-9’'-]+\s+){1,4}?report)\b"
)
NAMED_ZH = r"(?:[做写]|生成|一份|一个)(?:一份|一个)?([\u4e00-\u9fff\w]{2,14}?报告)"
UNNAMED_ZH = {"数据报告", "分析报告", "数据分析报告", "一份报告", "一个报告"}


def named_report(text: str) -> str | None:
    """ "Sales report" of "make a sales report from this table"; nothing for just "a report"."""
    if match := re.search(NAMED_ZH, text):
        return None if match[1] in UNNAMED_ZH else match[1]
    match = re.search(NAMED, text, re.IGNORECASE)
    return match[1][:1].upper() + match[1][1:] if match else None


def table_of(request: Request) -> str:
    """The input that the request names, else the first table."""
    tables = [name for name in request.inputs if name.lower().endswith(TABLES)]
    named = [name for name in tables for text in request.chain if name.lower() in text.lower()]
    return next(iter(named or tables), "")


def parameters(request: Request) -> dict[str, Any]:
    colours = request.colours
    return {
        "lang": request.lang,
        "title": request.title or request.latest(named_report) or "",
        "seed": request.seed,
        "files": {"html": "report.html", "png": "report.png"},
        "input": table_of(request),
        "theme": request.latest(theme_in) or "auto",
        "accent": readable(colours[0], "#fcfcfa") if colours else "",
        "text": " ".join(request.chain),
    }


def describe(parameters: Mapping[str, Any], lang: Lang) -> str:
    title, name = parameters["title"], parameters["input"]
    if lang == "zh":
        called = f"《{title}》" if title else ""
        return f"一份数据报告{called}，数据来自 {name or '（尚未上传文件）'}。"
    called = f" “{title}”" if title else ""
    return f"a data report{called} from {name or 'a file that is not there yet'}."


def summary(parameters: Mapping[str, Any], lang: Lang) -> str:
    name = parameters["input"]
    if lang == "zh":
        return (
            f"报告做好了：由 {name} 计算得出的网页，含图表、结论、数据说明和可排序的数据表，"
            "断网可看，可以打印；另附一张概览图。可以接着说：“标题改成‘…’”、“换成绿色”、“深色”、“换成英文”，"
            "或点名要分析的列。"
        )
    return (
        f"The report is ready: a page computed from {name} with charts, findings, notes on the "
        "data and a sortable table. It works without a network and prints well; a picture sums it "
        "up. Go on with “call it “…””, “make it green”, “dark”, “in Chinese”, or name the column "
        "that matters most."
    )


def also(request: Request) -> float:
    return 0.5 if request.input("csv", "tsv", "xlsx") and len(request.texts) == 1 else 0.0


RECIPE = Recipe(
    name="report",
    noun={"en": "a data report", "zh": "一份数据报告"},
    example={
        "en": "A report of sales.csv called “Sales 2025” (with the CSV file added)",
        "zh": "用上传的 CSV 做一份数据报告，标题《2025 年销售》",
    },
    words={
        r"\b(?:data )?reports?\b": 0.85,
        r"\banaly[sz]e\b|\banalysis\b|\bdashboard\b|\bvisuali[sz]": 0.75,
        r"\bcharts?\b|\bgraphs?\b|\bplot\b|\bstatistics\b": 0.65,
        r"\bcsv\b|\bxlsx\b|\bexcel\b|\bspreadsheet\b": 0.6,
        r"(?:数据|分析|统计|销售|业绩)?(?:报告|报表)": 0.85,
        r"数据分析|分析(?:一下)?(?:数据|这)|可视化|看板|仪表盘": 0.75,
        r"图表|折线图|柱状图|统计图": 0.65,
        r"表格|数据文件": 0.5,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
    also=also,
)
