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
GREETINGS: tuple[tuple[str, str, str], ...] = (
    ("lantern festival|元宵", "Happy Lantern Festival", "元宵节快乐"),
    ("mid-autumn|中秋", "Happy Mid-Autumn Festival", "中秋快乐"),
    ("dragon boat|端午", "Dragon Boat Festival", "端午安康"),
    ("national day|国庆", "Happy National Day", "国庆节快乐"),
    ("teachers?['’]?s? day|教师节", "Happy Teachers’ Day", "教师节快乐"),
    ("mother['’]?s day|母亲节", "Happy Mother’s Day", "母亲节快乐"),
    ("father['’]?s day|父亲节", "Happy Father’s Day", "父亲节快乐"),
    ("valentine|情人节|七夕", "Happy Valentine’s Day", "情人节快乐"),
    ("children['’]?s day|儿童节|六一", "Happy Children’s Day", "儿童节快乐"),
    ("easter|复活节", "Happy Easter", "复活节快乐"),
    ("halloween|万圣", "Happy Halloween", "万圣节快乐"),
    ("thanksgiving|感恩节", "Happy Thanksgiving", "感恩节快乐"),
    ("百日|百天", "Happy 100 Days", "百日快乐！"),
    ("满月", "One Month Old", "满月快乐！"),
    ("graduat|毕业", "Congratulations", "毕业快乐"),
    ("congratulat|恭喜|祝贺", "Congratulations", "恭喜恭喜"),
    ("retire|退休|荣休", "Happy Retirement", "荣休快乐"),
)
"""What is wished on a day or an occasion: the words that mean it, then the wish."""
WISHES = "快乐|大吉|幸福|成功|安康|如意|健康|发财|顺利|进步|万福|有余"
KINDS = r"video|film|clip|movie|animation|intro|opener|opening|mp4|title sequence"
KINDS_ZH = "倒计时|倒数|片头|开场|视频|短片|影片|动画"
NOISE_ZH = (
    r"^(?:请|帮我|帮忙|给我们?|为我们?|给|为|我想要?|我要|做|制作|生成|来|弄|一下|一个|一段|一部|个|段|部|条"
    rf"|{reading.NUMBER}\s*秒钟?的?|的|标题|竖屏|横屏|简约|快乐|欢快|祝福|[^，。]{{0,4}}风格)+"
)
ORDERED_ZH = r"(?:做|制作|生成|准备|录)[一个段部条]*$"


def subject_of(text: str) -> str | None:
    """What a film is about, when no title is given: "countdown to …", "…倒计时", "…的片头"."""
    bare = re.sub(reading.QUOTED, "", _without_below(text))
    if not find(f"[{reading.HAN}]", bare):
        return _english_subject(bare)
    named = re.search(
        rf"(?:{KINDS_ZH})[:：]\s*([^\d，。；！？,;\n][^，。；！？,;\n]{{0,23}})", bare
    )
    found = [named[1]] if named else []
    after = re.search(
        rf"(?:{KINDS_ZH})([，\s])\s*([^\d\s，。；！？,;：:\n]{{2,16}})(?=[，。\s]|$)", bare
    )
    aside = [after[2]] if after and not find("屏|色|风格?$|从|数到", after[2]) else []
    clause = r"([^，。；！？,;：:\n]{1,24}?)"
    before = [m[1] for m in re.finditer(rf"{clause}(?:的)?(?:{KINDS_ZH})", bare)]
    # What follows a space is named more closely than what stands before: "旅行片头 云南之旅".
    found += [*aside, *before] if after and after[1].isspace() else [*before, *aside]
    about = re.search(r"(?:主题|内容)(?:是|为)?[:：]?\s*([^，。；！？,;\n]{1,24})", bare)
    found += [about[1]] if about else []
    for said in found:
        said = re.sub(ORDERED_ZH, "", re.sub(NOISE_ZH, "", said.strip()))
        said = re.sub(rf"(?:{KINDS_ZH}|{reading.NUMBER}\s*秒钟?|的|\s)+$", "", said).strip()
        if said and not re.fullmatch(f"{KINDS_ZH}|倒计时视频", said):
            return said
    return None


def _english_subject(bare: str) -> str | None:
    bare = re.sub(r"(?i)\bfrom \w+ (?:down )?to \w+\b", "", bare)
    end = r"(?=\s+(?:in|with|at|on|from|of|lasting|and|which|that)\s|\s+\d|[,.;:!?\n]|$)"
    launch = (
        r"(?i:(?:product |app )?launch (?:of )?|company['’]s |start of |opening of )?"
        r"(?i:the |our |my )?"
    )
    kind = rf"(?i:count[- ]?down|{KINDS})[\w -]{{0,20}}?"
    for pattern in (
        rf"{kind}:\s*([A-Za-z][^,.;:!?\n]{{1,60}})",
        rf"{kind}\s(?i:to|for|until|about|of)\s+(?i:the |our |my )?{launch}([^,.;:!?\n]+?){end}",
    ):
        said = re.search(pattern, bare)
        if said and (found := said[1].strip()) and not find(r"^congratulat", found):
            return found
    return None


def people_of(text: str) -> tuple[str, ...] | None:
    """Whose day it is, as films are asked for: "给奶奶80大寿", "for grandma Rosa", "宝宝叫糖糖"."""
    called = re.search(rf"(?:名?叫(?:做)?|名字是)\s*([{reading.HAN}]{{1,4}})(?=[，。,\s]|$)", text)
    if called:
        return (called[1],)
    age = rf"{reading.NUMBER}\s*(?:周岁|岁|大寿)"
    chinese = re.search(
        rf"(?:给|为|祝)(?:我的?|我们的?)?((?:{reading.FAMILY})?[{reading.HAN}]{{0,4}}?)(?:的)?"
        rf"(?={age}|生日|大寿|寿宴|百日|满月)",
        text,
    )
    if chinese and (who := re.sub(r"(?:做|办|过|制作)[一个]*$", "", chinese[1])):
        return (who,)
    english = re.search(
        rf"\bfor (?:my |our )?[a-z]+ ({reading.NAME})"
        rf"|\b(?i:birthday|congratulate|congratulations to)[, ]+({reading.NAME})"
        rf"|\bparty of ({reading.NAME})",
        text,
    )
    return (next(g for g in english.groups() if g),) if english else None


def organiser_of(text: str) -> str | None:
    """The company or product that the request names by a label: "公司名：云帆科技"."""
    said = re.search(
        r"(?:公司|品牌|产品|店|频道|学校|活动)(?:名称?|名字)(?:是|为|叫)?[:：]?\s*([^，。；！？,;\n“「\"]{1,20})",
        text,
    )
    return said[1].strip() if said else None


def wish_of(text: str) -> str | None:
    """A wish that the request speaks out: "祝大家龙年大吉"."""
    said = re.search(rf"祝(?!福|贺)([^，。；！？,;\n]{{0,14}}?(?:{WISHES}))", text)
    return re.sub("^(?:大家|各位|你们?|您)", "", said[1]) if said else None


def couple_of(text: str) -> tuple[str, str] | None:
    """The two who marry: "Anna and Tom", "李雷和韩梅梅"."""
    bare = re.sub(reading.QUOTED, "", text)
    bare = re.sub(rf"{reading.FAMILY}|同事|好友|闺蜜|兄弟|给|为|祝", " ", bare)
    both = re.search(
        r"([A-Z][a-z]+)(?: and | & )([A-Z][a-z]+)"
        r"|([\u3400-\u9fff]{2,3}?)\s*(?:和|与|、|&)\s*([\u3400-\u9fff]{2,3}?)"
        r"(?=的|[，。,\s]|$|订婚|结婚|新婚|大婚|婚礼)",
        bare,
    )
    return (both[1] or both[3], both[2] or both[4]) if both else None


BELOW = (
    r"(?:副标题|小字|落款)(?:是|为|用|写|改成)?[:：]?\s*[“「\"]?([^，。；！？”」\"\n]{1,60})[”」\"]?"
    r"|(?i:subtitle|tagline|below it)(?: is|:)?\s*[“\"']?([^\n\"”'.;]{1,80})[”\"']?"
)


def _without_below(text: str) -> str:
    return re.sub(BELOW, "", text)


def below_of(text: str) -> str | None:
    """A smaller line asked for by name."""
    said = re.search(BELOW, text)
    return next(g for g in said.groups() if g).strip() if said else None


def words(
    request: Request, theme: str, countdown: bool, birthday: bool, age: int | None
) -> dict[str, str]:
    """`headline`, `below` and `caption` (shown while counting); the last two may be empty."""
    lang = request.lang
    subject = request.latest(subject_of) or ""
    below = request.latest(below_of) or ""
    quotes = [quote for quote in request.quotes if quote != below]
    # "祝福短片" is a film of wishes, not somebody's.
    names = request.latest(people_of) or [n for n in request.names if not n.startswith("福")]
    people = tuple(re.sub(rf"^(?:{reading.FAMILY})(?=.)", "", name) for name in names)
    if theme == "wedding" and len(people) < 2:
        people = request.latest(couple_of) or people
    given = title_of(request)
    wish = request.latest(lambda text: greeting_of(text, lang))
    if wish and not birthday and not given:
        who = people[0] if people and theme != "wedding" else ""
        given = (f"{who}\n" if lang == "zh" else f"{wish}\n{who}") if who else wish
        given += wish if who and lang == "zh" else ""
    organiser = request.latest(organiser_of)
    if organiser and not given:
        given = organiser if countdown or not subject else f"{organiser}\n{subject}"
    year = find(r"\b20\d\d\b", request.chain[0]) if theme == "newyear" and not given else None
    if year:
        given = f"{year[0]} 新年快乐" if lang == "zh" else f"Happy New Year {year[0]}"
    headline = given or _headline(lang, theme, subject, people, birthday, age)
    if len(quotes) > 1 and not below:
        below = quotes[1]
    if not below and not given:
        below = UNDER.get(theme, {}).get(lang, "")
    if not below and birthday and lang == "zh" and age and age >= 60:
        below = "福如东海　寿比南山"
    if not below and (theme == "wedding" or not countdown) and request.days:
        day = request.days[0]
        below = _date(lang, day.year, day.month, day.day)
    if below == headline:
        below = ""
    return {
        "headline": _clean(headline),
        "below": _clean(below),
        "caption": _clean(_caption(lang, theme, subject, people, birthday)) if countdown else "",
    }


def title_of(request: Request) -> str:
    """The words asked for as they stand: in quotation marks, or named as a title."""

    def quoted(text: str) -> tuple[str, ...]:
        return reading.quotes(_without_below(text))

    def titled(text: str) -> str | None:
        return reading.title(re.sub(f"标题(?={KINDS_ZH})", "", _without_below(text)))

    quotes = request.latest(quoted)
    return quotes[0] if quotes else request.latest(titled) or ""


def greeting_of(text: str, lang: Lang) -> str | None:
    """The wish that a text speaks out or that its occasion calls for."""
    said = wish_of(text) if lang == "zh" else None
    if said:
        return said
    for occasion, english, chinese in GREETINGS:
        if find(occasion, text):
            return chinese if lang == "zh" else english
    return None


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
    if theme == "wedding":
        return "婚礼倒计时" if lang == "zh" else "Countdown to the Wedding"
    if theme == "festival":
        return "新春倒计时" if lang == "zh" else "Countdown to Spring Festival"
    if theme == "newyear" and not subject:
        return "新年倒计时" if lang == "zh" else "Countdown to the New Year"
    if theme == "christmas":
        return "圣诞倒计时" if lang == "zh" else "Countdown to Christmas"
    if not subject or len(subject) > 40 or birthday:
        return ""
    return f"{subject}倒计时" if lang == "zh" else f"Countdown to {_capitals(subject)}"


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
    titled = title_of(request)
    source = titled or subject_of(request.text) or headline
    people = people_of(request.text) or request.names
    if people and find("birthday|生日|大寿", request.text) and not titled:
        who = re.sub(rf"^(?:{reading.FAMILY})(?=.)", "", people[0])
        source = who + ("生日" if request.lang == "zh" else " birthday")
    elif find("wedding|engage|婚", request.text) and not titled:
        source = headline
    name = re.sub(r"[^\w\u3400-\u9fff]+", "-" if request.lang == "en" else "", source.lower())
    return name.strip("-_")[:48] or ("countdown" if countdown else "title")
