"""The words of a film: what the request gives, and what a theme says where it gives nothing."""

from __future__ import annotations

import datetime
import re

from agent.recipes import reading
from agent.recipes.reading import find
from agent.recipes.request import Lang, Request

THEME_NAMES: dict[str, dict[Lang, str]] = {
    "party": {"en": "party", "zh": "欢乐派对"},
    "wedding": {"en": "wedding", "zh": "婚礼"},
    "festival": {"en": "Spring Festival", "zh": "中国新春"},
    "christmas": {"en": "Christmas", "zh": "圣诞"},
    "newyear": {"en": "New Year fireworks", "zh": "跨年烟花"},
    "space": {"en": "space", "zh": "太空"},
    "sport": {"en": "sports", "zh": "运动"},
    "nature": {"en": "landscape", "zh": "自然风景"},
    "minimal": {"en": "minimal", "zh": "简约"},
}
FINALE: dict[str, dict[Lang, str]] = {
    "party": {"en": "Let’s party!", "zh": "派对开始！"},
    "wedding": {"en": "Our Wedding", "zh": "我们结婚啦"},
    "festival": {"en": "Happy Spring Festival", "zh": "恭贺新春"},
    "christmas": {"en": "Merry Christmas", "zh": "圣诞快乐"},
    "newyear": {"en": "Happy New Year", "zh": "新年快乐"},
    "space": {"en": "Lift-off!", "zh": "发射！"},
    "sport": {"en": "Game on!", "zh": "比赛开始！"},
    "nature": {"en": "Here we go", "zh": "出发！"},
    "minimal": {"en": "Here we go", "zh": "现在开始"},
}
UNDER: dict[str, dict[Lang, str]] = {
    "festival": {"en": "Joy and good fortune", "zh": "万事如意　阖家幸福"},
    "space": {"en": "Lift-off!", "zh": "发射成功"},
}
KINDS = r"video|film|clip|movie|animation|intro|opener|mp4|title sequence"
NOISE_ZH = (
    r"^(?:请|帮我|帮忙|给我们?|为我们?|我想要?|我要|做|制作|生成|来|弄|一下|一个|一段|一部|个|段|部|条|\d+\s*秒钟?的?|的"
    r"|竖屏|横屏|简约|快乐|欢快|[^，。]{0,4}风格)+"
)


def subject_of(text: str) -> str | None:
    """What a film is about, when no title is given: "countdown to …", "…倒计时", "…的片头"."""
    bare = re.sub(reading.QUOTED, "", text)
    english = re.search(
        r"(?i:count[- ]?down|"
        + KINDS
        + r")(?i:[\w -]{0,20}?)\s(?i:to|for|until|about)\s+(?i:the |our |my )?"
        r"(?i:launch of |start of |opening of )?(?i:the )?"
        r"([^,.;:!?\n]+?)(?=\s+(?:in|with|at|on|from|of|lasting|and)\s|\s+\d|[,.;:!?\n]|$)",
        bare,
    )
    if english and not find(r"[\u3400-\u9fff]", bare):
        return english[1].strip()
    chinese = re.search(r"([^，。；！？,;\n]{1,24}?)(?:的)?(?:倒计时|倒数|片头|开场)", bare)
    if chinese:
        return re.sub(NOISE_ZH, "", chinese[1]).strip(" 的") or None
    about = re.search(r"(?:主题|内容)(?:是|为)?[:：]?\s*([^，。；！？,;\n]{1,24})", bare)
    return about[1] if about else None


def couple_of(text: str) -> tuple[str, str] | None:
    """The two who marry: "Anna and Tom", "李雷和韩梅梅"."""
    bare = re.sub(reading.QUOTED, "", text)
    both = re.search(
        r"([A-Z][a-z]+)(?: and | & )([A-Z][a-z]+)"
        r"|([\u3400-\u9fff]{2,3}?)(?:和|与|、|&)([\u3400-\u9fff]{2,3})(?=的|[，。,\s]|$)",
        bare,
    )
    return (both[1] or both[3], both[2] or both[4]) if both else None


def below_of(text: str) -> str | None:
    """A smaller line asked for by name."""
    said = re.search(
        r"(?:副标题|小字|落款)(?:是|为|用|写|改成)?[:：]?\s*[“「\"]?([^，。；！？”」\"\n]{1,60})"
        r"|(?i:subtitle|tagline|below it)(?: is|:)?\s*[“\"']?([^\n\"”'.;]{1,80})",
        text,
    )
    return next(g for g in said.groups() if g).strip() if said else None


def words(
    request: Request, theme: str, countdown: bool, birthday: bool, age: int | None
) -> dict[str, str]:
    """`headline`, `below` and `caption` (shown while counting); the last two may be empty."""
    lang = request.lang
    subject = request.latest(subject_of) or ""
    below = request.latest(below_of) or ""
    quotes = [quote for quote in request.quotes if quote != below]
    people = tuple(re.sub(rf"^(?:{reading.FAMILY})(?=.)", "", name) for name in request.names)
    if theme == "wedding" and len(people) < 2:
        people = request.latest(couple_of) or people
    given = quotes[0] if quotes else request.title
    headline = given or _headline(lang, theme, subject, people, birthday, age)
    if len(quotes) > 1 and not below:
        below = quotes[1]
    if not below and not given:
        below = UNDER.get(theme, {}).get(lang, "")
    if not below and theme == "wedding" and request.days:
        day = request.days[0]
        below = _date(lang, day.year, day.month, day.day)
    if below == headline:
        below = ""
    return {
        "headline": _clean(headline),
        "below": _clean(below),
        "caption": _clean(_caption(lang, theme, subject, people, birthday)) if countdown else "",
    }


def _headline(
    lang: Lang, theme: str, subject: str, people: tuple[str, ...], birthday: bool, age: int | None
) -> str:
    if birthday:
        who = ("和" if lang == "zh" else " & ").join(people)
        if lang == "zh":
            first = f"{who}{' ' if who and age else ''}{f'{age}岁' if age else ''}"
            return f"{first}\n生日快乐！" if first else "生日快乐！"
        nth = f" {age}{_nth(age)}" if age else ""
        return f"Happy{nth} Birthday" + (f"\n{who}!" if who else "!")
    if theme == "wedding" and people:
        return " & ".join(people[:2])
    greeting = theme in ("festival", "christmas", "newyear", "wedding")
    return _capitals(subject) if subject and not greeting else FINALE[theme][lang]


def _caption(lang: Lang, theme: str, subject: str, people: tuple[str, ...], birthday: bool) -> str:
    if birthday and people:
        who = people[0]
        return f"{who}的生日倒计时" if lang == "zh" else f"{who}’s birthday countdown"
    if theme == "festival":
        return "新春倒计时" if lang == "zh" else "Countdown to Spring Festival"
    if theme == "newyear" and not subject:
        return "新年倒计时" if lang == "zh" else "Countdown to the New Year"
    if theme == "christmas":
        return "圣诞倒计时" if lang == "zh" else "Countdown to Christmas"
    if not subject or len(subject) > 40 or birthday:
        return ""
    return f"{subject}倒计时" if lang == "zh" else f"Countdown to {subject}"


def _capitals(subject: str) -> str:
    """An English subject as a headline."""
    small = ("a", "an", "and", "at", "for", "in", "of", "on", "or", "the", "to", "with")
    return " ".join(
        word if k and word in small else word[:1].upper() + word[1:]
        for k, word in enumerate(subject.split(" "))
    )


def _nth(number: int) -> str:
    return (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )


def _date(lang: Lang, year: int, month: int, day: int) -> str:
    if lang == "zh":
        return f"{year}年{month}月{day}日" if year else f"{month}月{day}日"
    name = datetime.date(2000, month, 1).strftime("%B")
    return f"{day} {name} {year}" if year else f"{day} {name}"


def _clean(text: str) -> str:
    """Without pictographs, which the typefaces of the film do not have; at most 120 characters."""
    kept = re.sub(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]", "", text)
    return "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in kept.strip().split("\n"))[
        :120
    ]


def stem(request: Request, headline: str, countdown: bool) -> str:
    """The files' name without ending, the same for a request and its follow-ups."""
    source = request.title or subject_of(request.text) or headline
    if request.names and find("birthday|生日", request.text) and not request.title:
        source = request.names[0] + ("生日" if request.lang == "zh" else " birthday")
    name = re.sub(r"[^\w\u3400-\u9fff]+", "-" if request.lang == "en" else "", source.lower())
    return name.strip("-_")[:48] or ("countdown" if countdown else "title")
