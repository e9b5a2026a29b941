"""Reads what the deck is made from: Markdown, plain text, CSV or JSON."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from pathlib import Path

from kit.script import Unusable
from make_deck import WORDS, chart, section_slides

PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
MISTAKES = {
    "en": {
        "empty": "{} is empty.",
        "json": "{} is not valid JSON (line {}).",
        "table": "{} has no rows below its heading.",
    },
    "zh": {
        "empty": "{} 是空的。",
        "json": "{} 不是有效的 JSON（第 {} 行）。",
        "table": "{} 除了表头没有数据。",
    },
}


def read(name, lang):
    """(title, subtitle, content slides) of the input file."""
    path = Path("input") / name
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("gb18030", errors="replace")
    if not text.strip():
        raise Unusable(MISTAKES[lang]["empty"].format(name))
    suffix = path.suffix.lower()
    fallback = path.stem.replace("_", " ").replace("-", " ").strip()
    if suffix in (".csv", ".tsv"):
        return fallback, "", _table_slides(_csv(text), fallback, name, lang)
    if suffix == ".json":
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise Unusable(MISTAKES[lang]["json"].format(name, error.lineno)) from error
        return _from_json(value, fallback, name, lang)
    return _from_text(text, fallback, lang)


# ---------------------------------------------------------------------------- text


def _inline(text):
    """A line without its Markdown."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))", "", text).strip()


def _from_text(text, fallback, lang):
    """Headings become slides; their lists, tables, quotes and pictures what is on them."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    heads = re.findall(r"^(#{1,6})\s", text, re.MULTILINE)
    title, subtitle, slides = "", "", []
    text = re.sub(r"(?m)^(?!\||\s*$)(.*)\n(?=\|)", r"\1\n\n", text)
    text = re.sub(r"(?m)^(\|.*)\n(?!\|)", r"\1\n\n", text)
    blocks = re.split(r"\n\s*\n|\n(?=#{1,6}\s)", "\n" + text.replace("\r\n", "\n"))
    heading, points = "", []

    def flush():
        nonlocal points
        if points:
            slides.extend(section_slides(heading or title or fallback, points, lang))
        points = []

    for block in (b.strip("\n") for b in blocks):
        if not block.strip():
            continue
        lines = block.splitlines()
        marked = re.match(r"^(#{1,6})\s+(.+?)\s*#*$", lines[0])
        if marked:
            flush()
            words = _inline(marked[2])
            if not title and (
                (marked[1] == min(heads, key=len) and heads.count(marked[1]) == 1)
                or (not slides and heads[0] == marked[1] == "#")
            ):
                title = words
            else:
                heading = words
            lines = lines[1:]
            if not lines:
                continue
        elif not heads and not title and len(lines) == 1 and len(lines[0]) <= 80:
            title = _inline(lines[0])
            continue
        if all(line.lstrip().startswith("|") for line in lines) and len(lines) > 2:
            flush()
            rows = [[_inline(c) for c in line.strip().strip("|").split("|")] for line in lines]
            slides.extend(_written_table([rows[0], *rows[2:]], heading or title, fallback, lang))
        elif all(line.lstrip().startswith(">") for line in lines):
            flush()
            said = " ".join(_inline(line.lstrip(" >")) for line in lines)
            words, source = [*re.split(r"\s*(?:——|—|–|--)\s*", said, maxsplit=1), ""][:2]
            slides.append(
                {
                    "kind": "quote",
                    "title": heading,
                    "text": words.strip('“”"「」'),
                    "source": source,
                }
            )
        elif picture := re.fullmatch(r"\s*!\[([^\]]*)\]\(([^)\s]+)\)\s*", block):
            flush()
            slides.extend(_picture(heading, picture[1], picture[2]))
        elif any(re.match(r"\s*(?:[-*+•·]|\d+[.)、])\s+", line) for line in lines):
            points += _items(lines)
        elif (
            not slides and not points and title and not heading and not subtitle and len(block) < 90
        ):
            subtitle = _inline(" ".join(lines))
        else:
            joint = "" if lang == "zh" else " "
            points += _sentences(_inline(joint.join(line.strip() for line in lines)))
    flush()
    return title or fallback, subtitle, slides


def _items(lines):
    """The items of a list; what is indented below one belongs to it."""
    items = []
    for line in lines:
        marked = re.match(r"^(\s*)(?:[-*+•·]|\d+[.)、])\s+(.+)$", line)
        if marked and (len(marked[1]) < 2 or not items):
            items.append(_inline(marked[2]))
        elif items:
            words = _inline(marked[2] if marked else line)
            items[-1] += (
                ": " if marked and ":" not in items[-1] else ", " if marked else " "
            ) + words
        else:
            items.append(_inline(line))
    return items


def _sentences(paragraph):
    """A paragraph too long for one statement as its sentences."""
    if len(paragraph) <= (90 if re.search(r"[\u3400-\u9fff]", paragraph) else 180):
        return [paragraph]
    return [
        s.strip() for s in re.findall(r".+?(?:[。！？]|[.!?](?=\s|$)|$)", paragraph) if s.strip()
    ]


def _picture(heading, caption, source):
    path = Path("input") / Path(source).name
    if path.suffix.lower() not in PICTURES or not path.is_file():
        return []
    data = base64.b64encode(path.read_bytes()).decode()
    return [
        {"kind": "picture", "title": heading or caption, "label": caption,
         "source": f"data:{PICTURES[path.suffix.lower()]};base64,{data}"}
    ]  # fmt: skip


# ---------------------------------------------------------------------------- tables


def _csv(text):
    sample = text[:4096]
    delimiter = max(
        ",;\t|", key=lambda mark: min(line.count(mark) for line in sample.splitlines()[:5] or [""])
    )
    rows = [
        [cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)
    ]
    return [row for row in rows if any(row)]


def _number(cell):
    """The value of a cell, None if it is not a number."""
    plain = re.sub(r"[,\s$€£¥￥%]", "", cell)
    return float(plain) if re.fullmatch(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", plain) else None


def tidy(value):
    """A number as people write it: no more digits than carry meaning."""
    if abs(value) >= 1000 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.3g}" if abs(value) < 1 else f"{value:,.4g}"


def _table_slides(rows, title, name, lang):
    """A glance at the numbers, a chart for each of the first three, and the table itself."""
    words = WORDS[lang]
    heads, body = rows[0], [row + [""] * (len(rows[0]) - len(row)) for row in rows[1:]]
    if not body:
        raise Unusable(MISTAKES[lang]["table"].format(name))
    columns = list(zip(*(row[: len(heads)] for row in body), strict=True))
    years = [k for k, head in enumerate(heads) if re.fullmatch(r"(?i)year|年份?", head)]
    numeric = [
        k for k, column in enumerate(columns)
        if k not in years and sum(_number(c) is not None for c in column) >= 0.8 * len(body)
    ]  # fmt: skip
    labels = next((k for k in range(len(heads)) if k not in numeric), None)
    slides = []
    if len(body) > 3 and numeric:
        values = [v for v in map(_number, columns[numeric[0]]) if v is not None]
        summable = not re.search(
            r"(?i)rate|percent|%|avg|mean|age|score|temp|率|平均|温|分|龄", heads[numeric[0]]
        )
        first = (
            (words["total"], sum(values))
            if summable
            else (words["mean"], sum(values) / len(values))
        )
        best = max(range(len(body)), key=lambda k: _number(columns[numeric[0]][k]) or float("-inf"))
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
            if (value := _number(row[k])) is not None:
                sums.setdefault(row[labels] or "–", []).append(value)
        summable = not re.search(
            r"(?i)rate|percent|%|avg|mean|age|score|temp|率|平均|温|分|龄", heads[k]
        )
        pairs = [(label, sum(v) / (1 if summable else len(v))) for label, v in sums.items()]
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


def _written_table(rows, heading, name, lang):
    """A table of a text as it stands, and a chart of its first numbers if there are enough."""
    slides = [
        s for s in _table_slides(rows, heading, name, lang) if s["kind"] in ("chart", "table")
    ]
    charts = [s for s in slides if s["kind"] == "chart"][:1] if len(rows) > 4 else []
    return [{**slides[-1], "title": heading}, *charts]


# ---------------------------------------------------------------------------- JSON


def _from_json(value, fallback, name, lang):
    """Any JSON: names become headings, lists points, lists of alike objects tables."""
    if isinstance(value, list):
        value = (
            {"slides": value}
            if value and isinstance(value[0], dict) and _heading(value[0])
            else {fallback: value}
        )
    if not isinstance(value, dict) or not value:
        raise Unusable(MISTAKES[lang]["empty"].format(name))
    title = _heading(value)
    subtitle = next(
        (
            str(value[k])
            for k in ("subtitle", "tagline", "theme", "副标题", "主题")
            if isinstance(value.get(k), str) and value[k] != title
        ),
        "",
    )
    slides, loose = [], []
    for key, item in value.items():
        if item in (title, subtitle, None, "", [], {}) or _coloured(item):
            continue
        heading = _words(key)
        if isinstance(item, (str, int, float)):
            loose.append(f"{heading}: {item}")
        elif isinstance(item, dict):
            slides += section_slides(
                heading, [f"{_words(k)}: {_flat(v)}" for k, v in item.items()], lang
            )
        elif all(isinstance(entry, dict) for entry in item):
            slides += _records(heading, item, name, lang)
        else:
            slides += section_slides(heading, [_flat(entry) for entry in item], lang)
    if loose:
        slides = section_slides(WORDS[lang]["facts"], loose, lang) + slides
    return title or fallback, subtitle, slides


def _coloured(value):
    """Whether a value holds nothing but colours, which nobody wants to read."""
    found = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    )
    return bool(found) and all(
        isinstance(v, str) and re.fullmatch(r"#[0-9a-fA-F]{3,8}", v) for v in found
    )


def _heading(entry):
    return next(
        (
            str(entry[k])
            for k in (
                "title",
                "name",
                "heading",
                "event",
                "conference",
                "project",
                "标题",
                "名称",
                "题目",
                "活动",
                "会议",
                "项目",
                "姓名",
            )
            if isinstance(entry.get(k), str)
        ),
        "",
    )


def _records(heading, records, name, lang):
    """Objects that hold lists or texts are slides of their own; flat ones make a table."""
    plain = all(isinstance(v, str) for record in records for v in record.values())
    if plain and all(_heading(record) and len(record) <= 3 for record in records):
        return section_slides(heading, [_flat(record) for record in records], lang)
    if any(isinstance(v, (list, dict)) for record in records for v in record.values()):
        slides = []
        for record in records:
            title = _heading(record) or heading
            points = []
            for key, item in record.items():
                if item == title:
                    continue
                if isinstance(item, list):
                    points += [_flat(entry) for entry in item]
                else:
                    points.append(
                        _flat(item)
                        if key in ("text", "content", "body", "内容")
                        else f"{_words(key)}: {_flat(item)}"
                    )
            slides += section_slides(title, points, lang)
        return slides
    heads = list(dict.fromkeys(key for record in records for key in record))
    rows = [[str(record.get(head, "")) for head in heads] for record in records]
    return _table_slides([[_words(h) for h in heads], *rows], heading, name, lang)


def _words(key):
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(key)).replace("_", " ").replace("-", " ").strip()
    return text[:1].upper() + text[1:]


def _flat(value):
    if isinstance(value, dict):
        return (
            _heading(value)
            and ": ".join(
                filter(
                    None,
                    [
                        _heading(value),
                        ", ".join(_flat(v) for v in value.values() if v != _heading(value)),
                    ],
                )
            )
        ) or ", ".join(f"{_words(k)} {_flat(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(_flat(item) for item in value)
    return str(value)
