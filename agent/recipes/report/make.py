"""Makes a report of a table: python3 make.py recipe.json"""

import tempfile
from pathlib import Path

import pandas as pd
from kit.colour import readable, turn
from kit.page import embedded, families, library, picture, web_fonts
from kit.script import Unusable, run
from kit.type import face
from make_analysis import analyse
from make_page import TEXT, page
from make_style import STYLE
from make_table import read

OUTPUT = Path("/workspace/output")
INPUT = Path("/workspace/input")
SHOWN_ROWS = 200
MAIN = "#1f5f8b"
HUES = ("#d1662c", "#2f8f6b", "#8d5bb5", "#b08a1e", "#6b7682")


def make(want):
    lang, zh, name = want["lang"], want["lang"] == "zh", want["input"]
    if not name:
        raise Unusable(
            "没有可用的数据文件：请上传 CSV 或 Excel 文件"
            if zh
            else "there is no data file: add a CSV or Excel file"
        )
    table = read(INPUT / name, zh)
    kinds = ", ".join(f"{c.name}: {c.kind}" for c in table.columns)
    print(f"{len(table.cells)} rows; {kinds}")
    story = analyse(table, want["text"], zh)
    print(f"{len(story.charts)} charts, {len(story.findings)} findings")

    text = TEXT[lang]
    title = want["title"] or default_title(name, zh)
    lede = story.findings[0] if story.findings else story.quality[0]
    main = want["accent"] or MAIN
    light = readable(main, "#12171d", 5.0)
    heading = face("serif", lang, 700)
    spoken = [title, *(c["title"] for c in story.charts), *text.values()]
    spoken += [c["value"] for c in story.cards]
    total = len(table.cells)
    for index, chart in enumerate(story.charts):
        chart["wide"] = chart["kind"] in ("line", "heat") and (
            index == 0 or chart["kind"] == "heat" or len(chart.get("lines", ())) > 1
        )
    balance(story.charts)
    common = {
        "lang": lang, "t": text, "title": title, "lede": lede, "cards": story.cards[:4],
        "findings": story.findings[1:] or story.findings, "quality": story.quality, "main": main,
        "style": STYLE.replace("DISPLAY", families(heading)).replace("MAIN_DARK", light),
        "fonts": web_fonts([(heading, "".join(spoken))]), "d3": library("d3", "d3.min.js"),
        "made": text["made"].format(name),
        "shown": text["first" if total > SHOWN_ROWS else "all"].format(
            *((SHOWN_ROWS, f"{total:,}") if total > SHOWN_ROWS else (f"{total:,}",))
        ),
        "columns": [{"name": c.name, "kind": c.kind} for c in table.columns],
        "rows": rows_of(table),
    }  # fmt: skip
    data = {"text": text, "lang": lang, "hues": hues(main)}
    OUTPUT.mkdir(exist_ok=True)
    html = OUTPUT / want["files"]["html"]
    html.write_text(
        page(
            **common, charts=story.charts, poster=False,
            data=embedded({**data, "charts": story.charts, "theme": want["theme"]}),
        ),
        encoding="utf-8",
    )  # fmt: skip
    print(f"{html.name}: {html.stat().st_size // 1024} KB")
    two = best_two(story.charts)
    theme = "dark" if want["theme"] == "dark" else "light"
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as poster:
        poster.write(
            page(
                **common, charts=two, poster=True,
                data=embedded({**data, "charts": two, "theme": theme}),
            )
        )  # fmt: skip
        poster.flush()
        picture(Path(poster.name), OUTPUT / want["files"]["png"], 1600, 1000)


def default_title(name, zh):
    stem = Path(name).stem.replace("_", " ").replace("-", " ").strip()
    return f"{stem}数据报告" if zh else f"{stem[:1].upper()}{stem[1:]}: a report"


def hues(main):
    """Colours for further lines, turned away where they would be close to the main one."""
    return [turn(hue, 40) if distance(hue, main) < 60 else hue for hue in HUES]


def distance(one, other):
    pairs = zip(*(bytes.fromhex(c[1:]) for c in (one, other)), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


def balance(charts):
    """Widens a chart that would stand alone beside an empty half."""
    column = 0
    for index, chart in enumerate(charts):
        if chart["wide"]:
            if column:
                charts[index - 1]["wide"] = True
            column = 0
        else:
            column = 1 - column
    if column:
        charts[-1]["wide"] = True


def best_two(charts):
    """The two charts for the picture: of different kinds if there are."""
    first = charts[0]
    second = next((c for c in charts[1:] if c["kind"] != first["kind"]), None)
    return [{**c, "wide": second is None} for c in (first, second) if c]


def rows_of(table):
    """The first rows as {text, sort, right}; numbers and dates sort by value."""
    shown = []
    for index in range(min(SHOWN_ROWS, len(table.cells))):
        row = []
        for column in table.columns:
            value = column.values.iloc[index]
            known = column.kind in ("number", "date") and not pd.isna(value)
            text = table.cells[column.name].iloc[index]
            sort = str(value) if known else text
            row.append({"text": text, "sort": sort, "right": column.kind == "number"})
        shown.append(row)
    return shown


run(make)
