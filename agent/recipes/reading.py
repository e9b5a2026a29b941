"""Readers of one request's text, English or Chinese: each gives what the text says, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Lang = Literal["en", "zh"]

HAN = r"\u3400-\u9fff"
DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
TENS = {"十": 10, "百": 100, "千": 1000}
WORDS = {
    "a": 1, "an": 1, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
NUMBER = (
    r"(?:\d{1,9}(?:\.\d{1,6})?|[零〇一二两三四五六七八九十百千]{1,9}"
    rf"|\b(?:half an?|{'|'.join(WORDS)})\b)"
)

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
DAY = r"(\d{1,2})(?:st|nd|rd|th)?"

QUOTED = (
    r"“([^”\n]{1,200})”|\"([^\"\n]{1,200})\"|《([^》\n]{1,200})》|「([^」\n]{1,200})」"
    r"|『([^』\n]{1,200})』|‘([^’\n]{2,200})’(?![A-Za-z])|«([^»\n]{1,200})»"
    r"|(?<![A-Za-z0-9])'([^'\n]{2,200}(?:'[a-z]{1,2} [^'\n]*)?)'(?![A-Za-z])"
)
TITLED = (
    (
        r"\b(?i:titled?|entitled|called|named)(?: is| it| to)?\s*[:：]?\s+"
        r"([A-Z0-9][^,.;:!?\n\"“《]{0,80}?)"
        r"(?=\s+(?:in|for|with|of \d|at|by|about)\b|[,.;:!?\n]|$)"
    ),
    (
        r"(?:标题|题目|片名|曲名|主题)(?:是|为|叫|用|改成|改为|换成)?+\s*[:：]?\s*"
        r"([^，。；！？,;!?\n“《「\"]{1,60})"
    ),
    r"(?:题为|名为|取名|命名为|名字叫)\s*([^，。；！？,;!?\n“《「\"的]{1,60})",
)

NOT_NAMES = (
    r"(?:I|A|An|The|My|Our|Your|His|Her|Their|This|Me|Us|You|It|January|February|March|April|May"
    r"|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday"
    r"|Friday|Saturday|Sunday|Christmas|Easter|English|Chinese|New|Happy|Birthday|Mother's"
    r"|Father's|Valentine's)\b"
)
# Bounded, or one long word would be read again from each of its letters.
WORD = rf"(?!{NOT_NAMES})[A-ZÀ-Þ][\w’'-]{{0,30}}[a-zß-ÿ]"
NAME = rf"{WORD}(?:\s{{1,9}}{WORD})?"
FAMILY = (
    "妈妈|爸爸|奶奶|爷爷|外婆|外公|姥姥|姥爷|老师|同学|朋友|宝宝|老婆|老公"
    "|姐姐|妹妹|哥哥|弟弟|女儿|儿子"
)
NAMES = (
    rf"\b(?:for|to|[Dd]ear|[Cc]ongratulate)\s+(?:my \w+,?\s+)?({NAME}(?:(?:,| and| &)+\s*{NAME})*)",
    (
        rf"({NAME})['’]s?\s+(?:\w+\s+)?"
        r"(?:birthday|wedding|party|graduation|housewarming|retirement)"
    ),
    (
        r"(?:送给|献给|给|祝|致|为)(?:我的?|我们的?)?"
        rf"((?:{FAMILY})|(?:{FAMILY})?[{HAN}]{{1,4}}?(?:(?:和|与|、)[{HAN}]{{1,4}}?)?)"
        r"(?=做|写|画|的|生|过|作|谱|制|设|一|办|准|录|庆|婚|[，,。！!\s]|$)"
    ),
    (
        rf"(?:^|[，,。、\s为是])([{HAN}]{{2,3}}?)的(?:[\d一二三四五六七八九十]+岁|周岁)?"
        r"(?:生日|婚礼|满月|百日)"
    ),
)
NOBODY = ("我", "我们", "你", "他", "她", "大家", "它")


@dataclass(frozen=True)
class Day:
    """A day as a request names it; `year` is 0 where it is not said."""

    month: int
    day: int
    year: int = 0


def find(pattern: str, text: str) -> re.Match[str] | None:
    """The first match; case does not count."""
    return re.search(pattern, text, re.IGNORECASE)


def find_all(pattern: str, text: str) -> Iterator[re.Match[str]]:
    """Every match; case does not count."""
    return re.finditer(pattern, text, re.IGNORECASE)


def number(text: str) -> float | None:
    """The value of one number: "12", "1.5", "a", "ninety", "十二", "half a"."""
    text = text.strip().lower()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    if text.startswith("half"):
        return 0.5
    if text in WORDS:
        return float(WORDS[text])
    total, digit = 0, -1
    for sign in text:
        if sign in DIGITS:
            digit = DIGITS[sign] if digit < 0 else digit * 10 + DIGITS[sign]
        elif sign in TENS:
            total, digit = total + (1 if digit < 0 else digit) * TENS[sign], -1
        else:
            return None
    return float(total + max(digit, 0)) if text else None


def numbers(text: str) -> tuple[float, ...]:
    """Every number written in digits, in order."""
    return tuple(
        float(n.replace(",", ""))
        for n in re.findall(r"\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,15})?", text)
    )


def lang_of(text: str) -> Lang:
    """The language a text is written in; titles in quotation marks do not count."""
    bare = re.sub(QUOTED, "", text)
    han, latin = len(re.findall(f"[{HAN}]", bare)), len(re.findall(r"[A-Za-z]+", bare))
    return "zh" if han > latin else "en"


def lang_asked(text: str) -> Lang | None:
    """The language that the result is asked to be in."""
    into = "(?:用|换成|改成|改为|译成)(?:简体)?"
    if find(rf"\bin (?:simplified )?chinese\b|{into}中文|中文版", text):
        return "zh"
    if find(rf"\bin english\b|{into}英[文语]|英[文语]版", text):
        return "en"
    return None


def quotes(text: str) -> tuple[str, ...]:
    """What stands in quotation marks or title marks, in order."""
    found = (next(g for g in m.groups() if g) for m in re.finditer(QUOTED, text))
    return tuple(quote.strip() for quote in found if quote.strip())


def title(text: str) -> str | None:
    """A title given by words ("titled …", "标题：…") or else the first thing in quotation marks."""
    for pattern in TITLED:
        if said := re.search(pattern, text):
            return next(g for g in said.groups() if g).strip()
    return next(iter(quotes(text)), None)


def names(text: str) -> tuple[str, ...]:
    """The people it is for: "for Anna and Tom", "Lily's birthday", "给小雨", "小雨的生日"."""
    found = (m[1] for pattern in NAMES for m in re.finditer(pattern, text))
    single = (name for group in found for name in re.split(r",? and | & |, *|[和与、]", group))
    clean = (name.removesuffix("'s").removesuffix("’s").strip() for name in single)
    return tuple(dict.fromkeys(name for name in clean if name and name not in NOBODY))


def days(text: str) -> tuple[Day, ...]:
    """The dates in the text, in order."""

    def dates() -> Iterator[tuple[int, float, float, float]]:
        for m in find_all(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b", text):
            yield m.start(), int(m[1]), int(m[2]), int(m[3])
        for m in find_all(rf"\b{DAY}(?: of)? {MONTH},?(?: (\d{{4}}))?", text):
            yield m.start(), int(m[3] or 0), MONTHS.index(m[2][:3].lower()) + 1, int(m[1])
        for m in find_all(rf"\b{MONTH} {DAY}\b(?:,? (\d{{4}}))?", text):
            yield m.start(), int(m[3] or 0), MONTHS.index(m[1][:3].lower()) + 1, int(m[2])
        for m in find_all(rf"(?:(\d{{4}})\s*年)?\s*({NUMBER})\s*月\s*({NUMBER})\s*[日号]?", text):
            yield m.start(), int(m[1] or 0), number(m[2]) or 0, number(m[3]) or 0

    found = (
        Day(int(month), int(day), int(year))
        for _, year, month, day in sorted(dates(), key=lambda date: date[0])
        if 1 <= month <= 12 and 1 <= day <= 31
    )
    return tuple(dict.fromkeys(found))


def times(text: str) -> tuple[tuple[int, int], ...]:
    """The times of day in the text as (hour, minute), in order."""

    def clocks() -> Iterator[tuple[int, int, int]]:
        for m in find_all(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b", text):
            yield m.start(), int(m[1]) % 12 + 12 * (m[3].lower() == "p"), int(m[2] or 0)
        part = "(凌晨|早上|上午|中午|下午|傍晚|晚上)?"
        for m in find_all(rf"{part}\s*(?<![\d:])(\d{{1,2}}):(\d{{2}})(?![\d:]|\s*[ap]\.?m)", text):
            yield m.start(), _afternoon(m[1], int(m[2])), int(m[3])
        for m in find_all(rf"{part}\s*({NUMBER})\s*[点时](?!间)(?:(半)|({NUMBER})分)?", text):
            minute = 30.0 if m[3] else number(m[4] or "0")
            yield m.start(), _afternoon(m[1], int(number(m[2]) or 0)), int(minute or 0)

    return tuple((h, m) for _, h, m in sorted(clocks()) if h < 24 and m < 60)


def _afternoon(part: str | None, hour: int) -> int:
    return hour + 12 if part in ("下午", "傍晚", "晚上") and hour < 12 else hour


def seconds(text: str) -> float | None:
    """How long it should last: "30 s", "a minute and a half", "90-second", "一分半", "2分钟"."""
    total = 0.0
    if m := find(rf"({NUMBER}) and a half minutes?|({NUMBER})分半", text):
        total = 60 * ((number(m[1] or m[2]) or 0) + 0.5)
    elif m := find(
        rf"({NUMBER})\s*个?(半)?\s*-?\s*(?:minutes?|mins?\b|分钟|分(?!之))(\s*(?:and a half|半))?",
        text,
    ):
        total = 60 * ((number(m[1]) or 0) + (0.5 if m[2] or m[3] else 0))
    elif find("半分钟", text):
        total = 30
    if m := find(rf"({NUMBER})\s*-?\s*(?:seconds?|secs?\b|s\b|秒)", text):
        total += number(m[1]) or 0
    return total or None
