"""Slides of a table: figures, charts, and the table itself."""

from __future__ import annotations

import csv
import io
import re

from kit.script import Unusable
from make_deck import WORDS, chart
from make_numbers import number, summable, tidy


def rows_of(text):
    """The rows of a CSV that hold anything, by the delimiter that its first lines share."""
    sample = text[:4096]
    delimiter = max(
        ",;\t|", key=lambda mark: min(line.count(mark) for line in sample.splitlines()[:5] or [""])
    )
    rows = [
        [cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)
    ]
    return [row for row in rows if any(row)]


def table_slides(rows, title, name, lang):
    """A glance at the numbers, a chart for each of the first three, and the table itself.

    Raises:
        Unusable: nothing stands below the heading.
    """
    if len(rows) < 2:
        raise Unusable(
            f"{name} 除了表头没有数据。"
            if lang == "zh"
            else f"{name} has no rows below its heading."
        )
    words = WORDS[lang]
    heads, body = rows[0], [row + [""] * (len(rows[0]) - len(row)) for row in rows[1:]]
    columns = list(zip(*(row[: len(heads)] for row in body), strict=True))
    years = [k for k, head in enumerate(heads) if re.fullmatch(r"(?i)year|年份?", head)]
    numeric = [
        k for k, column in enumerate(columns)
        if k not in years and sum(number(c) is not None for c in column) >= 0.8 * len(body)
    ]  # fmt: skip
    labels = next((k for k in range(len(heads)) if k not in numeric), None)
    slides = []
    if len(body) > 3 and numeric:
        values = [v for v in map(number, columns[numeric[0]]) if v is not None]
        first = (
            (words["total"], sum(values))
            if summable(heads[numeric[0]])
            else (words["mean"], sum(values) / len(values))
        )
        best = max(range(len(body)), key=lambda k: number(columns[numeric[0]][k]) or float("-inf"))
        top = (
            f"{words['highest']}: {body[best][labels]}" if labels is not None else words["highest"]
        )
        slides.append(
            {"kind": "figures", "title": words["overview"], "points": [
                [tidy(len(body)), words["records"]],
                [tidy(first[1]), f"{heads[numeric[0]]} · {first[0]}"],
                [tidy(max(values)), f"{heads[numeric[0]]} · {top}"],
            ]}
        )  # fmt: skip
    for k in numeric[:3] if labels is not None else []:
        sums = {}
        for row in body:
            if (value := number(row[k])) is not None:
                sums.setdefault(row[labels] or "–", []).append(value)
        added = summable(heads[k])
        pairs = [(label, sum(v) / (1 if added else len(v))) for label, v in sums.items()]
        if len(pairs) < 2:
            continue
        made = chart(
            words["by"].format(heads[k], heads[labels]), *map(list, zip(*pairs, strict=True))
        )
        if made["shape"] == "bars":
            pairs = sorted(pairs, key=lambda pair: -pair[1])[:12]
            made = {**made, "labels": [p[0] for p in pairs], "values": [p[1] for p in pairs]}
        slides.append(made)
    shown = body[:8]
    slides.append(
        {"kind": "table", "title": words["full"] if slides else title, "heads": heads[:7],
         "rows": [row[:7] for row in shown], "numeric": [k for k in numeric if k < 7],
         "text": words["rows"].format(len(shown), len(body)) if len(body) > len(shown) else ""}
    )  # fmt: skip
    return slides


def written_table(rows, heading, name, lang):
    """A table of a text as it stands, and a chart of its first numbers if there are enough."""
    slides = [s for s in table_slides(rows, heading, name, lang) if s["kind"] in ("chart", "table")]
    charts = [s for s in slides if s["kind"] == "chart"][:1] if len(rows) > 4 else []
    return [{**slides[-1], "title": heading}, *charts]
