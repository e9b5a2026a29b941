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
    r"(?:\(?\d{1,2}(?:[)、）]|[.．](?!\d))|[一二三四五六七八九十]{1,3}[、.．]"
    r"|第[一二三四五六七八九十\d]+[章节部分页]+[:：]?)"
)
STARTS = rf"(?:^|(?<=[\s:：；;，,。.！!？?]))(?:{MARK})\s*(?=\S)"
LISTED = (
    r"(?:(?:要点|内容|大纲|提纲|目录|章节|亮点|几部分)\s*"
    r"(?:(?:(?:有|是|为|如下)?\s*[:：]|(?:主要)?(?:包括|包含|涵盖|分为|有|是|为)\s*[:：]?))"
    r"|(?:要?包括|包含|涵盖|分为|分成)(?:了|有)?\s*[:：]?|讲(?!解)讲?(?=[^，。；;\n]{1,60}[、和])"
    r"|\b(?:outline|points|contents?|sections|agenda|chapters|topics)\b\s*[:：]?"
    r"|\b(?:covering|covers?|including|includes?|with slides on)\b\s*[:：]?)\s*"
)
HELD = {ord(mark): 0xE000 + k for k, mark in enumerate("，。、；：,.;:")}
"""Marks within quotation marks part nothing: they are kept as private characters meanwhile."""
STYLED = (
    r"[,;.]?\s+(?i:in|with|using) an? (?:\w+ ){1,2}(?:look|style|theme)\b"
    r"|[，。；]\s*[^，。；：:、\n]{0,8}(?:风格|色调|配色)(?=[，。；]|$)"
)
WANTED = (
    r"^(?:请|麻烦|帮忙?|帮我|给我们?|为我们?|我们?想?要?|需要|用|做|制作|生成|准备|来|写|弄|设计|一下"
    r"|[一两几]?[份个套张页]|\d+\s*[页张]|关于|有关|介绍|讲解|的)+"
)


@dataclass(frozen=True)
class Section:
    """A heading and what is said under it; without points it is a heading to be filled in."""

    title: str
    points: tuple[str, ...] = ()


def outline(text: str) -> tuple[dict[str, Any], ...]:
    """The sections in a text as JSON objects {title, points}; empty if it only names a topic."""
    text = re.sub(reading.QUOTED, lambda m: m[0].translate(HELD), re.sub(STYLED, "", text))
    sections = _lines(text) or _numbered(text) or _listed(text) or _sentences(text)
    return tuple(
        {"title": _capital(section.title), "points": [_capital(point) for point in section.points]}
        for section in sections
    )


def _capital(text: str) -> str:
    text = text.translate({held: mark for mark, held in HELD.items()})
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
    starts = list(re.finditer(STARTS, text))
    if len(starts) < 2:
        return []
    ends = [start.start() for start in starts[1:]] + [len(text)]
    items = (text[start.end() : end] for start, end in zip(starts, ends, strict=True))
    return [_section(item.strip(" \n;；，,。.")) for item in items if item.strip()]


def _listed(text: str) -> list[Section]:
    """Items after a word such as "covering" or "要点：", or after the only colon."""
    after = re.search(rf"(?i:{LISTED})([^\n]+)", text)
    if not after and not _named(text):
        after = re.search(rf"(?i:{KINDS})[^:：\n]{{0,80}}[:：]\s*([^\n]+)", text)
    if not after:
        return []
    said = after[1].split("。")[0]
    if re.search("[；;]", said):
        return [_section(item.strip()) for item in re.split("[；;]", said) if item.strip()]
    items = _split(said)
    if len(items) == 1:
        items = re.split(r"\s+and\s+", items[0], maxsplit=1)
    return [Section(item) for item in items] if len(items) > 1 else []


def _sentences(text: str) -> list[Section]:
    """Sentences after the title: "Slides: Our bakery. Bread: rye, wheat. Cakes: plum, apple."."""
    named = _named(text)
    if not named:
        return []
    said = re.split(r"[。；;\n]\s*|\.\s+", named[1].strip().rstrip(".。；;"))
    sections = [_section(sentence) for sentence in said if sentence.strip()]
    if len(sections) == 1 and not sections[0].points:
        points = _split(sections[0].title)
        return [Section(point) for point in points] if len(points) > 1 else []
    return sections


def _named(text: str) -> tuple[str, str] | None:
    """The title that follows "slides:" and the text after it; None if no title stands there."""
    found = re.search(
        rf"(?i:{KINDS})\s*[:：]\s*(?!{MARK})(?P<title>[^。；;:：\n]{{2,80}}?)"
        rf"(?=\s*[-–—]*\s*{STARTS}|[，,。；;]?\s*(?i:{LISTED})|[。；;\n]|\.\s|\.?$)",
        text,
    )
    if not found or len(_split(found["title"])) > 1:
        return None
    return found["title"].strip(" ,，-–—"), text[found.end() :].lstrip("，,。；;. \n")


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
    pieces[-1] = re.sub(
        r"(?:等|这?[一二两三四五六七八九十\d]+[个大]?(?:部分|方面))$", "", pieces[-1]
    )
    return [piece.strip() for piece in pieces if piece.strip()]


def head(text: str) -> str:
    """What a request says before its outline begins."""
    found = (re.search(STARTS, text), re.search(f"(?i:{LISTED})", text))
    starts = [match.start() for match in found if match and match.start()]
    return text[: min(starts)] if starts else text


def title(text: str) -> str | None:
    """The deck's title: what is quoted or named as one before the outline begins."""
    before = head(text)
    named = _named(text)
    if named and re.search("[》」]\\S|\\S[《「]", named[0]):  # a title that speaks of another title
        return named[0]
    return reading.title(before) or (named[0] if named else None)


def topic(text: str) -> str | None:
    """What the slides are about: "slides about …", "关于…的幻灯片"."""
    if named := _named(text):
        return named[0]
    before = re.sub(reading.QUOTED, "", head(text))
    if re.search(f"[{reading.HAN}]", before) and (found := _chinese_topic(before)):
        return found
    return _english_topic(before)


def _chinese_topic(text: str) -> str | None:
    clause = r"([^，。；：:！？,;\n]{1,40}?)"
    asked = "(?:做|制作|生成|准备|写|来|要)(?:一|两|几)?(?:份|个|套|下)?"
    for pattern in (
        rf"(?:关于|(?<!自我)介绍|讲解?|有关){clause}(?:的)?\s*(?i:{KINDS})",
        rf"{asked}{clause}(?:的)?\s*(?i:{KINDS})",
        rf"(?:关于|(?<!自我)介绍|讲解|讲讲|讲){clause}(?=[，。；：:！？,;\n]|$)",
        rf"(?:给|为)(?!我|大家){clause}{asked}\s*(?i:{KINDS})",
        rf"^{clause}(?:的)?\s*(?i:{KINDS})",
    ):
        said = re.search(pattern, text)
        if said and (found := re.sub(WANTED, "", said[1].strip()).strip()):
            return found
    return None


def _english_topic(text: str) -> str | None:
    end = (
        r"(?=\s*(?:[:;(\n]|[.!?](?:\s|$)|,\s|\s[–—-]\s"
        r"|\s(?i:in|with|covering|including|from)\s|$))"
    )
    kind = rf"(?i:{KINDS})(?i:[^.:\n]{{0,60}}?)"
    for pattern in (
        rf"{kind}\s(?i:about)\s+(?i:the )?([^:;\n]+?){end}",
        rf"{kind}\s(?i:introducing)\s+(?i:the )?([^:;\n]+?)(?=\s(?i:to)\s|{end})",
        rf"{kind}\s(?i:on|for|presenting|of)\s+(?i:the |an? )?([^:;\n]+?){end}",
        r"\b(?i:topic|subject|theme)(?: is)?\s*:\s*([^.;\n]+)",
        rf"^([^:.\n]{{2,60}}):\s*(?:\w+ ){{0,3}}(?i:{KINDS})\b",
        rf"\b(?i:an?|the|our|my)\s+([A-Za-z][\w &'’-]{{2,50}}?)\s+(?i:{KINDS})\b",
    ):
        if (said := re.search(pattern, text)) and (found := said[1].strip(" ,")):
            return found
    return None


def pages(text: str) -> int | None:
    """How many slides are asked for."""
    for said in reading.find_all(
        rf"({reading.NUMBER})[- ]*(?:slides?|pages?)\b|({reading.NUMBER})\s*[页张]", text
    ):
        number = reading.number(said[1] or said[2])
        if number and 2 <= number <= 60:
            return int(number)
    return None
