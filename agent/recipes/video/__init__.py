"""The video recipe: a countdown or a title film with scenery, motion and music of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.recipes import reading
from agent.recipes.looks import Size
from agent.recipes.reading import find
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request
from agent.recipes.video import wording

LONGEST = 75.0
SHORTEST = 3.0
PIXELS = 1920 * 1080

COUNTDOWN = r"count[- ]?(?:s|ing)?[- ]?down|倒计时|倒数|数到|读秒"
THEMES: Mapping[str, str] = {
    # What is looked for first wins: a birthday party at sea is a party.
    "party": (
        r"birthday|\bkids?\b|children"
        r"|生日|周岁|满月|百日|生辰|大寿|寿宴|祝寿|儿童|小朋友|幼儿园|派对"
    ),
    "wedding": (
        r"wedding|bridal|engage(?:d|ment)|getting married|\bvows?\b|婚礼|结婚|新婚|订婚|喜宴|求婚"
    ),
    "festival": (
        r"spring festival|chinese new year|lunar new year"
        r"|lantern festival|春节|新春|过年|除夕|农历"
        r"|拜年|元宵|贺岁|[龙蛇马羊猴鸡狗猪鼠牛虎兔]年"
    ),
    "christmas": r"christmas|\bxmas\b|santa|圣诞",
    "newyear": r"new year|fireworks?|national day|国庆|跨年|新年|元旦|烟花",
    "space": (
        r"\bspace|rocket|lift-?off|(?<!product )launch|astronaut"
        r"|galax|\bmoon|planet|\bmars\b|火箭|发射|太空"
        r"|宇宙|航天|星空|星际|月球|火星|科幻|上线"
    ),
    "sport": (
        r"\bsports?\b|football|soccer|basketball|\bmatch\b|\brace\b|marathon|champion"
        r"|kick-?off|olympic|fitness|workout|比赛|运动会|足球|篮球|决赛|马拉松|冠军|联赛|健身|电竞|开赛"
    ),
    "nature": (
        r"nature|summer|autumn|\bfall in\b|winter|spring|travel|trip|journey|holiday"
        r"|vacation|mountain|lake|\bsea\b|ocean|beach|fjord|forest|hik(?:e|ing)|camping"
        r"|island|norway|river|countryside|自然|旅行|旅游|风景|山|湖|海|森林|夏天|夏日|秋|冬|春|假期|露营|徒步|治愈"
    ),
    "minimal": (
        r"corporate|business|company|minimal|quarterly|annual|report|product|conference"
        r"|meetup|webinar|tutorial|course|channel|podcast|企业|公司|商务|简约"
        r"|极简|年度|工作|总结|产品|发布会"
        r"|会议|课程|教程|频道|科技"
    ),
}
SEASONS = {
    "winter": r"winter|snow|冬|雪",
    "autumn": r"autumn|\bfall\b|秋",
    "spring": r"spring|blossom|春|樱花|花开",
    "dusk": r"dusk|evening|sunset|twilight|night|黄昏|傍晚|日落|夕阳|夜",
    "summer": r"summer|sunny|夏",
}
WATER = r"\bsea|ocean|lake|fjord|beach|island|river|coast|norway|海|湖|江|河|水|岛"
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
UPRIGHT = r"tiktok|\breels?\b|\bshorts\b|\bstory\b|\bstories\b|抖音|快手|视频号|小红书|手机竖"


def theme_of(text: str) -> str | None:
    """The theme that the words of a text mean."""
    return next((theme for theme, words in THEMES.items() if find(words, text)), None)


def season_of(text: str) -> str | None:
    """The season or hour a landscape is asked for in."""
    return next((season for season, words in SEASONS.items() if find(words, text)), None)


def counts_of(text: str) -> tuple[int, int] | None:
    """Where a countdown starts and ends, if the text says so."""
    number = reading.NUMBER
    both = find(
        rf"(?:from\s+|从\s*)?({number})\s*(?:down to|to|until|till|→|->|数到|到|至)\s*({number})",
        text,
    )
    if both:
        first, last = (int(reading.number(both[k]) or 0) for k in (1, 2))
        if 0 <= last < first <= 100:
            return first, last
    sequence = re.search(r"(?<![\d.])\d{1,2}(?:(?:[,，、.…]|\s)+\d{1,2}){2,}(?!\d)", text)
    if sequence:
        said = [int(n) for n in re.findall(r"\d+", sequence[0])]
        if said == list(range(said[0], said[-1] - 1, -1)):
            return said[0], said[-1]
    start = (
        find(rf"(?:count(?:ing|s)?[- ]?down|starting)\s+(?:from|at)\s+({number})", text)
        or find(rf"从\s*({number})\s*(?:开始|倒)", text)
        or find(
            rf"({number})\s*-?\s*(?:seconds?|s\b)\s*-?\s*(?:[a-z’' ]{{0,24}} )?count[- ]?down", text
        )
        or find(rf"({number})\s*秒钟?的?[^，。；\d]{{0,8}}?(?:倒计时|倒数)", text)
    )
    if start:
        first = int(reading.number(start[1]) or 0)
        if 1 < first <= 60:
            return first, 1
    return (10, 0) if find(r"(?:数到|倒数到|down to)\s*(?:0|零|zero\b)", text) else None


def age_of(text: str) -> int | None:
    """How old somebody becomes."""
    number = reading.NUMBER
    for said in (
        find(rf"({number})\s*(?:周岁|岁|大寿)", text),
        find(r"\b(\d+)(?:st|nd|rd|th)\s+birthday", text),
        find(rf"(?:turn(?:s|ing)|becom\w+)\s+({number})\b", text),
        find(rf"({number})[- ]years?\b(?! of)", text),
    ):
        if said and (age := int(reading.number(said[1]) or 0)):
            return age
    first = find(rf"\b({'|'.join(ORDINALS)}) birthday", text)
    return ORDINALS.index(first[1].lower()) + 1 if first else None


def size_of(request: Request) -> tuple[int, int]:
    """Width and height in pixels, even, at most as many as 1080p has."""
    upright = request.latest(lambda text: "portrait" if find(UPRIGHT, text) else None)
    size = request.size
    if size is None or size.unit != "px":
        size = Size(1920, 1080, "px")
    shape = request.shape or ("portrait" if upright else None)
    if shape and (shape == "portrait") != (size.height > size.width):
        size = size.turned("portrait" if shape == "portrait" else shape)
    if shape == "square":
        size = size.turned("square")
    shrink = min(1.0, (PIXELS / (size.width * size.height)) ** 0.5)
    width, height = (max(160, round(side * shrink / 2) * 2) for side in (size.width, size.height))
    return width, height


def timing(seconds: float | None, counts: tuple[int, int] | None) -> dict[str, Any]:
    """Duration, numbers, seconds a number stays, and when the final words appear."""
    if counts is None:
        length = min(LONGEST, seconds or 15)
        counts = max(3, round(length * 2 / 3) if length <= 24 else int(length - 8)), 1
    first, last = counts
    numbers = first - last + 1
    duration = min(LONGEST, max(SHORTEST, seconds or numbers + 5))
    rest = min(5.0, max(1.2, 0.22 * duration))
    count = min(1.0, (duration - rest) / numbers)
    if count < 0.4:  # faster numbers cannot be read
        count = 0.4
        numbers = int((duration - rest) / count)
        first = last + numbers - 1
    reveal = round(min(duration - rest, max(numbers * count, duration - 8)), 3)
    return {
        "duration": duration,
        "from": first,
        "to": last,
        "count": round(count, 4),
        "reveal": reveal,
    }


def parameters(request: Request) -> dict[str, Any]:
    countdown = bool(request.latest(lambda text: find(COUNTDOWN, text) and True))
    theme = request.latest(theme_of) or ("newyear" if "festive" in request.moods else "")
    if not theme:
        theme = "nature" if {"calm", "dusk"} & set(request.moods) else "minimal"
    if theme == "minimal" and "cute" in request.moods:
        theme = "party"
    lang = request.lang
    age = request.latest(age_of) if theme == "party" else None
    birthday = theme == "party" and bool(
        request.latest(lambda t: find("birthday|生日|周岁|岁|大寿|寿宴|祝寿", t))
    )
    words = wording.words(request, theme, countdown, birthday, age)
    first = Request(request.chain[:1], request.inputs)
    stem = wording.stem(request if len(request.chain) == 1 else first, words["headline"], countdown)
    width, height = size_of(request)
    seconds = request.seconds
    times = (
        timing(seconds, request.latest(counts_of))
        if countdown
        else {"duration": min(LONGEST, max(SHORTEST, seconds or 8.0)), "count": 0, "reveal": 0}
    )
    return {
        "kind": "countdown" if countdown else "title",
        "lang": lang,
        "title": words["headline"].replace("\n", " "),
        **words,
        "theme": theme,
        "candles": (age if age and age <= 12 else 7) if birthday else 0,
        "season": request.latest(season_of) or ("dusk" if "dusk" in request.moods else "summer"),
        "water": bool(request.latest(lambda text: find(WATER, text) and True)),
        "colours": list(request.colours),
        **times,
        "asked": seconds,
        "width": width,
        "height": height,
        "seed": request.seed,
        "files": {
            "video": f"{stem}.mp4",
            "cover": f"{stem}-{'封面' if lang == 'zh' else 'cover'}.jpg",
        },
    }


def describe(made: Mapping[str, Any], lang: Lang) -> str:
    theme = wording.THEME_NAMES[made["theme"]][lang]
    length, size = f"{made['duration']:g}", f"{made['width']}×{made['height']}"
    if lang == "zh":
        counting = (
            f"从 {made['from']} 数到 {made['to']}（每个数 {made['count']:g} 秒），然后出现"
            if made["kind"] == "countdown"
            else "片头文字"
        )
        return (
            f"{theme}风格的视频，{length} 秒，{size}，每秒 30 帧，{counting}“{made['title']}”，"
            "配乐按画面节拍写成。"
        )
    counting = (
        f"it counts from {made['from']} to {made['to']} ({made['count']:g} s each), then shows"
        if made["kind"] == "countdown"
        else "it shows"
    )
    return (
        f"a video in {theme} style, {length} s, {size}, 30 frames a second; {counting} "
        f"“{made['title']}”, with music composed to its beats."
    )


def summary(made: Mapping[str, Any], lang: Lang) -> str:
    asked = made["asked"]
    clipped = asked is not None and abs(asked - made["duration"]) > 0.05
    if lang == "zh":
        limit = f"这个配方的时长在 {SHORTEST:g} 到 {LONGEST:g} 秒之间。" if clipped else ""
        return (
            f"{describe(made, lang)}{limit}H.264 + AAC，可以直接在手机和微信里播放，另附封面图。"
            "可以接着说：换个颜色、改成竖屏、改文字（放在引号里）、改时长、从几数到几、换成英文。"
        )
    limit = f" This recipe makes {SHORTEST:g} to {LONGEST:g} seconds." if clipped else ""
    text = describe(made, lang)
    return (
        f"{text[0].upper()}{text[1:]}{limit} H.264 and AAC, ready for phones and the web, with a "
        "cover picture. A follow-up can change the colours, the shape (vertical, square), the "
        "words (in quotation marks), the length, the numbers or the language."
    )


RECIPE = Recipe(
    name="video",
    noun={"en": "a countdown or title video", "zh": "倒计时或片头视频"},
    example={
        "en": "A 15-second birthday countdown video for Lily, who turns 6, 1080p",
        "zh": "给小雨做一个生日倒计时视频，15秒，1080p",
    },
    words={
        COUNTDOWN: 0.95,
        r"\bvideos?\b|\bmp4\b|\bmovie\b|\bfilm\b|视频|影片|短片": 0.9,
        r"\b(?:intro|opener|title sequence|motion graphics?|animation)\b|片头|动画|开场": 0.7,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
)

__all__ = ["RECIPE", "parameters"]
