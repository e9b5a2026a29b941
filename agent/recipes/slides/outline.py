"""The outline that a request gives in its own words: sections and their points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.recipes import reading

KINDS = (
    r"slide ?decks?|slides?|decks?|presentations?|power ?points?|keynotes?|ppts?|pptx"
    r"|幻灯片?|演示文稿|演示|课件|讲稿|胶片"
)
MARK = (
    r"(?:\(?\d{1,2}[).．、）]|[一二三四五六七八九十]{1,3}[、.．]"
    r"|第[一二三四五六七八九十\d]+[章节部分页]+[:：]?)"
)
LISTED = (
    r"(?:要点|内容|大纲|提纲|目录|包括|包含|涵盖|分为|章节|几部分|讲|outline|points?|sections?|agenda|chapters?"
    r"|topics?|covering|covers?|including|includes?|with slides on)(?:有|是|为|如下)?\s*[:：]?\s*"
)


@dataclass(frozen=True)
class Section:
    """A heading and what is said under it; without points it is a heading to be filled in."""

    title: str
    points: tuple[str, ...] = ()


def outline(text: str) -> tuple[dict[str, Any], ...]:
    """The sections in a text as JSON objects {title, points}; empty if it only names a topic."""
    sections = _lines(text) or _numbered(text) or _listed(text)
    return tuple(
        {"title": _capital(section.title), "points": [_capital(point) for point in section.points]}
        for section in sections
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lines(text: str) -> list[Section]:
    """An outline written line by line: headings, and points below them."""
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        marked = re.match(rf"^(\s*)(#{{1,4}}\s|[-*•·+]\s*|{MARK}\s*)(.+)$", line)
        if not marked:
            continue
        indent, mark, words = len(marked[1].expandtabs(4)), marked[2].strip(), marked[3].strip()
        below = bool(sections) and (indent >= 2 or (mark in "-*•·+" and _numbers_lead(text)))
        if below:
            sections[-1][1].append(words)
        else:
            section = _section(words)
            sections.append((section.title, list(section.points)))
    if len(sections) < 2:
        return []
    return [Section(title, tuple(points)) for title, points in sections]


def _numbers_lead(text: str) -> bool:
    """Whether headings are numbered, so that bullets are what stands below them."""
    return bool(re.search(rf"^(?:#{{1,4}}\s|{MARK})", text, re.MULTILINE))


def _numbered(text: str) -> list[Section]:
    """Items numbered in running text: "1) our story 2) our bread: rye, wheat"."""
    starts = list(re.finditer(rf"(?:^|(?<=[\s:：；;，,。.！!？?]))({MARK})\s*(?=\S)", text))
    if len(starts) < 2:
        return []
    ends = [start.start() for start in starts[1:]] + [len(text)]
    items = (text[start.end() : end] for start, end in zip(starts, ends, strict=True))
    return [_section(item.strip(" \n;；，,。.")) for item in items if item.strip()]


def _listed(text: str) -> list[Section]:
    """Items after a word such as "covering" or "要点：", or after the only colon."""
    bare = re.sub(reading.QUOTED, lambda m: m[0].replace(",", "\0").replace("，", "\0"), text)
    after = re.search(rf"(?i:{LISTED})([^\n]+)", bare)
    if not after:
        after = re.search(rf"(?i:{KINDS})[^:：\n]{{0,80}}[:：]\s*([^\n]+)", bare)
    if not after:
        return []
    said = after[1].split("。")[0].replace("\0", "，")
    if re.search("[；;]", said):
        return [_section(item.strip()) for item in re.split("[；;]", said) if item.strip()]
    items = _split(said)
    return [Section(item) for item in items] if len(items) > 1 else []


def _section(words: str) -> Section:
    """ "Our bread: rye, wheat and spelt" as a heading with three points."""
    words = words.strip().rstrip("。.；;")
    heading = re.match(r"^([^:：（(—]{1,60}?)\s*(?:[:：]|\s[—–-]\s|——|[（(])\s*(.+?)[)）]?$", words)
    if not heading:
        return Section(words)
    return Section(heading[1].strip(), tuple(_split(heading[2])))


def _split(text: str) -> list[str]:
    """The items of an enumeration; a sentence stays whole."""
    text = text.strip().rstrip("。.")
    pieces = re.split(r"\s*[；;]\s*", text)
    if len(pieces) == 1:
        pieces = re.split(r"\s*、\s*", text)
    if len(pieces) == 1:
        # "1,200" is one number, not two items.
        pieces = re.split(r"\s*，\s*|\s*,\s+(?:and\s+)?|(?<=\S),(?=[^\d\s])", text)
    last = pieces[-1]
    if len(pieces) > 1 and len(last) < 60:
        pieces[-1:] = re.split(r"\s+and\s+|\s*(?:以及|和)\s*", last, maxsplit=1)
    return [piece.strip() for piece in pieces if piece.strip()]


def head(text: str) -> str:
    """What a request says before its outline begins."""
    marked = re.search(rf"(?:^|(?<=[\s:：；;，,。.！!？?]))(?:{MARK})\s*(?=\S)", text)
    listed = re.search(f"(?i:{LISTED})", text)
    starts = [found.start() for found in (marked, listed) if found and found.start()]
    return text[: min(starts)] if starts else text


def title(text: str) -> str | None:
    """The deck's title: what is quoted or named as one before the outline begins."""
    return reading.title(head(text))


def topic(text: str) -> str | None:
    """What the slides are about: "slides about …", "关于…的幻灯片"."""
    bare = re.sub(reading.QUOTED, "", text)
    chinese = re.search(
        rf"(?:关于|介绍|讲解?|有关)\s*([^，。；：:！？,;\n]{{2,40}}?)(?:的)?\s*(?i:{KINDS})", bare
    )
    if not chinese:
        asked = "(?:做|制作|生成|准备|写|来|要)(?:一|两|几)?(?:份|个|套|下)?"
        chinese = re.search(rf"{asked}([^，。；：:！？,;\n]{{2,40}}?)(?:的)?\s*(?i:{KINDS})", bare)
    if not chinese:
        chinese = re.search(r"(?:关于|介绍)\s*([^，。；：:！？,;\n]{2,40})", bare)
    if chinese and (
        found := re.sub(r"^(?:\d+\s*[页张]的?|一份|一个|一套|的)+", "", chinese[1]).strip()
    ):
        return found
    english = re.search(
        rf"(?i:{KINDS})(?i:[^.:\n]{{0,30}}?)\s"
        r"(?i:about|on|for|introducing|presenting|of)\s+(?i:the )?"
        r"([^:;\n]+?)(?=\s*(?:[:;\n]|[.!?](?:\s|$)|,\s"
        r"|\s(?i:in|with|covering|including|from)\s|$))",
        bare,
    )
    if not english:
        english = re.search(
            rf"(?i:an?|the|our|my)\s+([A-Za-z][\w &'’-]{{2,50}}?)\s+(?i:{KINDS})\b", bare
        )
    return english[1].strip() if english else None


def pages(text: str) -> int | None:
    """How many slides are asked for."""
    said = reading.find(
        rf"({reading.NUMBER})[- ]*(?:slides?|pages?)\b|({reading.NUMBER})\s*[页张]", text
    )
    number = reading.number(said[1] or said[2]) if said else None
    return int(number) if number and 2 <= number <= 60 else None
