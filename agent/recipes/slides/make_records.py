"""Slides of JSON: of its names, lists and records."""

from __future__ import annotations

import re

from kit.script import Unusable
from make_deck import WORDS, section_slides
from make_tables import table_slides


def read(value, fallback, name, lang):
    """(title, subtitle, slides) of any JSON.

    Names become headings, lists points, lists of alike objects tables.

    Raises:
        Unusable: it holds nothing.
    """
    if isinstance(value, list):
        value = (
            {"slides": value}
            if value and isinstance(value[0], dict) and _heading(value[0])
            else {fallback: value}
        )
    if not isinstance(value, dict) or not value:
        raise Unusable(f"{name} 是空的。" if lang == "zh" else f"{name} is empty.")
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
    return table_slides([[_words(h) for h in heads], *rows], heading, name, lang)


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
