"""What a request asks for that can be measured: how long, how large, on which paper.

Only what is said plainly counts, and what is said in two ways is not plain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

MOST_CHARS = 20_000
LEAST_SECONDS, MOST_SECONDS = 0.5, 6 * 3600.0
SIDES = range(16, 20_001)
# What has a length.
LASTING = (
    r"\b(?:videos?|clips?|films?|movies?|animations?|animated|gifs?|loops?|trailers?|teasers?|reels?"
    r"|intros?|outros?|jingles?|songs?|tunes?|tracks?|music|melod(?:y|ies)|pieces?|audio|sounds?"
    r"|sound(?:track|scape)s?|recordings?|timelapses?|montages?|slideshows?|countdowns?|spots?|ads?"
    r"|podcasts?|voice-?overs?|lullab(?:y|ies)|waltz(?:es)?|beats?|ambience|mp3|mp4|wav|webm)\b"
)
LASTING_ZH = (
    "视频|短片|影片|动画|片子|片头|片尾|宣传片|预告|音乐|乐曲|曲|歌"
    "|音频|录音|配乐|铃声|循环|动图|旋律"
)
COUNTED = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS: Mapping[str, float] = {
    **{word: number for number, word in enumerate(COUNTED, 1)},
    **{word: 10.0 * number for number, word in enumerate(TENS, 2)},
    **dict.fromkeys(("a", "an"), 1.0),
    **dict.fromkeys(("half a",), 0.5),
    **dict.fromkeys(("forty-five",), 45.0),
}
NUMBER = r"\d{1,5}(?:\.\d{1,2})?|" + "|".join(sorted(WORDS, key=len, reverse=True))
LENGTH = rf"(?<![\w.,:-])(?P<number>{NUMBER})[\s-]?(?P<unit>seconds?|secs?|s|minutes?|mins?)\b"
LENGTHS = (
    # "a 30-second video", "10 s loop", "a two minute calm piano piece"
    rf"{LENGTH}(?:[\s-]+long\b)?(?P<between>(?:[ -]+[\w'’-]+){{0,4}}?)[ -]+{LASTING}",
    # "a video of 30 seconds", "a song that lasts two minutes", "video (15 s)"
    (
        rf"{LASTING}(?:,| of| that (?:is|lasts)| lasting| (?:should|must) (?:be|last)| is| \("
        rf"| -| –|:){{1,2}}\s*(?:(?:about|around|exactly|roughly) )?{LENGTH}"
    ),
    (
        r"\b(?:length|duration|runtime|running time)(?: (?:of|is|should be|must be))?:? *"
        rf"(?:about |exactly )?{LENGTH}"
    ),
)
# "a calm piano piece, one minute"
APART = rf"(?:^|[,;(] ?)(?:about )?{LENGTH}(?: long)?(?=[.,;)]|$)"
# What stands between a length and a thing that has another one.
OTHER = re.compile(
    r"\b(?:to|from|of|after|before|in|into|at|with|for|the|this|each|every|per|later|read|walk"
    r"|drive|and|ago|long)\b",
    re.IGNORECASE,
)
DIGITS_ZH = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2}
LENGTH_ZH = (
    r"(?<![\d.第:：每])(?P<number>\d{1,5}(?:\.\d{1,2})?|[零一二两三四五六七八九十百]{1,5}|半)个?"
    r"(?P<unit>秒钟?|分钟|分半钟?)"
)
MOMENT_ZH = "(?!前|后|内|以内|处|时|阅读|一|就)"
LENGTHS_ZH = (
    rf"{LENGTH_ZH}{MOMENT_ZH}(?:左右)?(?:长)?的?[^，。；！？,.;!?\n秒分]{{0,8}}?(?:{LASTING_ZH})",
    (
        rf"(?:{LASTING_ZH}|时长|长度|片长|总长)(?:[，,：: （(]|为|是|约|大约|长|时长|长度){{0,4}}"
        rf"{LENGTH_ZH}{MOMENT_ZH}"
    ),
    rf"(?:^|[，,。；;、\s（(]){LENGTH_ZH}(?=$|[，,。；;、\s）)])",
)

PAIR = re.compile(
    r"(?<![\w.,:-])(\d{2,5})\s?(?:px)?\s?[x×✕*]\s?(\d{2,5})\s?(px|pixels?|像素)?"
    r"(?![\w.]*(?:mm|cm|in)\b|[\d×x])"
    r"(?!\s?(?:mm|cm|毫米|厘米|米|英寸|inch|in\b|m\b|grid|网格|cells?|tiles?|格))",
    re.IGNORECASE,
)
NAMED = {
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "2160p": (3840, 2160),
    "4k": (3840, 2160),
    "full hd": (1920, 1080),
    "全高清": (1920, 1080),
}
NAME = re.compile(
    rf"(?<![\w.$€£¥-])({'|'.join(NAMED)})(?!\s?(?:run|race|users|€|words|字)|\w)",
    re.IGNORECASE | re.ASCII,
)
PAPER = re.compile(
    r"(?<![\w.-])(A[0-6]|US[ -]Letter)(?![\w-]|\.\d)(?!\s*(?:电池|road|motorway|autobahn|公路))",
    re.ASCII,
)
PAPER_FOR = re.compile(
    r"paper|poster|page|print|portrait|landscape|pdf|sheet|flyer|leaflet|card|report|document"
    r"|format|size|booklet|menu|programme|certificate|calendar|handout|纸|海报|页|印|横|竖|纵|幅"
    r"|传单|贺卡|报告|文档|尺寸|大小|证书|日历|菜单|手册",
    re.IGNORECASE,
)
NO_PAPER = re.compile(
    r"\b(?:not|no|instead of|from|than)\s+$|(?:不要|不是|而不是|从)$", re.IGNORECASE
)
BLEED = re.compile(
    r"\b(?:with|and|add|plus|\d ?mm)\b[^.,;]{0,20}\bbleed\b|\bbleed of \d|出血", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Expected:
    """What a request says plainly, None for what it does not say.

    `seconds` is the length of what is to be made, `size` its pixels, `paper` a name such as "A3",
    `bleed` whether print is to run over its edge.
    """

    seconds: float | None = None
    size: tuple[int, int] | None = None
    paper: str | None = None
    bleed: bool = False

    def data(self) -> dict[str, Any]:
        """What `check --asked` and `inspect --asked` take as JSON."""
        size = list(self.size) if self.size else None
        told = {"seconds": self.seconds, "size": size, "paper": self.paper, "bleed": self.bleed}
        return {name: value for name, value in told.items() if value}


def expected(prompt: str) -> Expected:
    """What `prompt`, a request in English or Chinese, asks for."""
    text = prompt[:MOST_CHARS]
    return Expected(
        only(seconds(text), lambda one, other: abs(one - other) < 0.01),
        only(sizes(text), lambda one, other: sorted(one) == sorted(other)),
        only(papers(text), lambda one, other: one == other),
        BLEED.search(text) is not None,
    )


def only(found: Iterator[T], same: Callable[[T, T], bool]) -> T | None:
    """The one thing that was found; None where there are several."""
    values = list(found)
    return values[0] if values and all(same(values[0], value) for value in values) else None


def seconds(text: str) -> Iterator[float]:
    """The lengths, of a sentence that speaks of something that has one."""
    if re.search(LASTING, text, re.IGNORECASE):
        for pattern in (*LENGTHS, APART):
            for match in re.finditer(pattern, text, re.IGNORECASE):
                if not OTHER.search(match.groupdict().get("between", "")):
                    word = match["number"].lower()
                    yield from lasting(float(WORDS.get(word, word)), match["unit"])
    if re.search(LASTING_ZH, text):
        for pattern in LENGTHS_ZH:
            for match in re.finditer(pattern, text):
                half = 0.5 if "半" in match["unit"] else 0
                yield from lasting(chinese(match["number"]) + half, match["unit"])


def lasting(number: float, unit: str) -> Iterator[float]:
    value = number * 60 if unit[0] in "mM分" else number
    if LEAST_SECONDS <= value <= MOST_SECONDS:
        yield value


def chinese(word: str) -> float:
    """The value of "两", "十五", "一百二十" or "30"; half where it is 半."""
    if word[0].isdecimal():
        return float(word)
    if word == "半":
        return 0.5
    total = digit = 0
    for sign in word:
        if sign in DIGITS_ZH:
            digit = DIGITS_ZH[sign]
        else:
            total += (digit or 1) * (100 if sign == "百" else 10)
            digit = 0
    return float(total + digit)


def sizes(text: str) -> Iterator[tuple[int, int]]:
    for match in PAIR.finditer(text):
        width, height = int(match[1]), int(match[2])
        # Small numbers may count anything, unless they are called pixels.
        if width in SIDES and height in SIDES and (match[3] or min(width, height) >= 240):
            yield width, height
    for match in NAME.finditer(text):
        yield NAMED[match[1].lower()]


def papers(text: str) -> Iterator[str]:
    for match in PAPER.finditer(text):
        around = text[max(0, match.start() - 40) : match.end() + 40]
        if PAPER_FOR.search(around) and not NO_PAPER.search(text[: match.start()]):
            yield "Letter" if match[1].startswith("US") else match[1]
