"""Readers of one request's text, English or Chinese: each gives what the text says, or nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Lang = Literal["en", "zh"]

HAN = r"\u3400-\u9fff"
DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
UNITS = {"十": 10, "百": 100, "千": 1000}
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
).split()
TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
NUMBER = (
    r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千]+"
    rf"|\b(?:half an?|an?|{'|'.join([*reversed(WORDS), *TENS])})\b)"
)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)

COLOURS = {
    "#d43a3a": (r"\bred\b", "红"),
    "#e8702a": (r"\borange\b", "橙|橘"),
    "#f2c230": (r"\byellow\b", "黄"),
    "#2f9e5b": (r"\bgreen\b", "绿"),
    "#1f9aa8": (r"\b(?:teal|turquoise|cyan)\b", "青|蓝绿"),
    "#2b6fd6": (r"\bblue\b", "蓝"),
    "#1d2f6f": (r"\b(?:navy|dark blue|indigo)\b", "深蓝|藏青|靛蓝"),
    "#7fb8e6": (r"\b(?:light|sky|pale) blue\b", "浅蓝|天蓝"),
    "#7a4fc4": (r"\b(?:purple|violet)\b", "紫"),
    "#b9a3e3": (r"\b(?:lavender|lilac)\b", "淡紫|薰衣草"),
    "#e56a9b": (r"\bpink\b", "粉红|粉"),
    "#8a5a3b": (r"\bbrown\b", "棕|褐|咖啡"),
    "#c9a13b": (r"\bgold(?:en)?\b", "金"),
    "#a8adb5": (r"\bsilver\b", "银"),
    "#8a8f98": (r"\bgr[ae]y\b", "灰"),
    "#16181d": (r"\bblack\b", "黑"),
    "#ffffff": (r"\bwhite\b", "白"),
    "#f4ecd8": (r"\b(?:cream|beige|ivory)\b", "米|奶油|象牙"),
}

MOODS = {
    "calm": (r"calm|peaceful|quiet|gentle|relax\w*|soft|serene|soothing|meditat\w*|ambient",
             "平静|安静|宁静|舒缓|柔和|轻柔|放松|温柔|静谧|冥想|治愈"),
    "dusk": (r"dusk|evening|twilight|sunset|night\w*|nocturn\w*|moonlight", "黄昏|傍晚|日落|夜|月光|月色"),
    "sad": (r"sad|melanchol\w*|sorrow\w*|mournful|wistful|nostalgi\w*|bittersweet", "悲伤|忧伤|伤感|哀|惆怅|思念|怀念|离别"),
    "happy": (r"happy|joyful|cheerful|playful|lively|upbeat|fun|sunny|bright|merry|funny|energetic",
              "快乐|欢快|开心|活泼|轻快|愉快|欢乐|俏皮|明亮|阳光|喜悦|热闹|喜庆"),
    "grand": (r"grand|epic|heroic|majestic|triumphant|solemn|ceremon\w*|proud|dramatic", "宏伟|壮丽|雄伟|激昂|庄严|史诗|盛大|大气|豪迈"),
    "romantic": (r"romantic|love|loving|tender|wedding", "浪漫|爱情|深情|婚礼|甜蜜"),
    "mysterious": (r"myster\w*|eerie|spooky|dark|haunt\w*|halloween", "神秘|诡异|幽暗|万圣节"),
    "elegant": (r"elegant|refined|classy|classic(?:al)?|sophisticated", "优雅|典雅|高雅|古典"),
    "modern": (r"modern|minimal\w*|clean|swiss|simple", "现代|简约|极简|简洁"),
    "cute": (r"cute|sweet|childlike|for (?:kids|children)|kawaii", "可爱|童趣|儿童|小朋友|卡通"),
    "retro": (r"retro|vintage|old[- ]?school|nostalgic", "复古|怀旧"),
    "festive": (r"festive|celebrat\w*|party|christmas|new year|birthday", "节日|庆祝|派对|圣诞|新年|春节|生日"),
}  # fmt: skip

PAPER = {
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A4": (210, 297),
    "A5": (148, 210), "A6": (105, 148), "letter": (216, 279), "tabloid": (279, 432),
}  # fmt: skip


@dataclass(frozen=True)
class Day:
    """A day as a request names it; `year` is 0 where it is not said."""

    month: int
    day: int
    year: int = 0


@dataclass(frozen=True)
class Size:
    """A picture's width and height, in pixels ("px") or on paper ("mm")."""

    width: float
    height: float
    unit: Literal["px", "mm"]


def number(text: str) -> float | None:
    """The value of one number: "12", "1.5", "a", "ninety", "十二", "half a"."""
    text = text.strip().lower()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    if text.startswith("half"):
        return 0.5
    if text in ("a", "an"):
        return 1.0
    if text in WORDS:
        return float(WORDS.index(text))
    if text in TENS:
        return float(TENS[text])
    total, digit = 0, -1
    for sign in text:
        if sign in DIGITS:
            digit = DIGITS[sign] if digit < 0 else digit * 10 + DIGITS[sign]
        elif sign in UNITS:
            total, digit = total + (1 if digit < 0 else digit) * UNITS[sign], -1
        else:
            return None
    return float(total + max(digit, 0)) if text else None


def numbers(text: str) -> tuple[float, ...]:
    """Every number written in digits, in order."""
    return tuple(float(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text))


def lang_of(text: str) -> Lang:
    """The language a text is written in; titles in quotation marks do not count."""
    bare = re.sub(QUOTED, "", text)
    han, latin = len(re.findall(f"[{HAN}]", bare)), len(re.findall(r"[A-Za-z]+", bare))
    return "zh" if han > latin else "en"


def lang_asked(text: str) -> Lang | None:
    """The language that the result is asked to be in."""
    if re.search(
        r"\bin (?:simplified )?chinese\b|(?:用|换成|改成|改为|译成)(?:简体)?中文|中文版", text, re.I
    ):
        return "zh"
    if re.search(r"\bin english\b|(?:用|换成|改成|改为|译成)英[文语]|英[文语]版", text, re.IGNORECASE):
        return "en"
    return None


QUOTED = (
    r"“([^”\n]{1,200})”|\"([^\"\n]{1,200})\"|《([^》\n]{1,200})》|「([^」\n]{1,200})」"
    r"|『([^』\n]{1,200})』|‘([^’\n]{2,200})’(?![A-Za-z])|«([^»\n]{1,200})»"
    r"|(?<![A-Za-z0-9])'([^'\n]{2,200}(?:'[a-z]{1,2} [^'\n]*)?)'(?![A-Za-z])"
)
TITLED = (
    r"\b(?:titled?|entitled|called|named)(?: is| it)?\s*[:：]?\s+"
    r"(?P<en>[A-Z0-9][^,.;:!?\n\"“《]{0,80}?)(?=\s+(?:in|for|with|of \d|at|by|about)\b|[,.;:!?\n]|$)"
    r"|(?:标题|题目|片名|曲名|主题)(?:是|为|叫|用|改成|改为|换成)?\s*[:：]?\s*(?P<zh>[^，。；！？,;!?\n“《「\"]{1,60})"
    r"|(?:题为|名为|取名|命名为|曲名叫|名字叫)\s*(?P<zh2>[^，。；！？,;!?\n“《「\"的]{1,60})"
)


def quotes(text: str) -> tuple[str, ...]:
    """What stands in quotation marks or title marks, in order."""
    found = ([g for g in m.groups() if g] for m in re.finditer(QUOTED, text))
    return tuple(groups[0].strip() for groups in found if groups and groups[0].strip())


def title(text: str) -> str | None:
    """A title given by words ("titled …", "标题：…") or else the first thing in quotation marks."""
    titled = re.search(TITLED, text, re.IGNORECASE)
    said = titled and (titled["en"] or titled["zh"] or titled["zh2"])
    if said and not (titled["en"] and titled["en"][0].islower()):
        return said.strip()
    return next(iter(quotes(text)), None)


NOT_NAMES = (
    r"(?:I|A|An|The|My|Our|Your|His|Her|Their|This|Me|Us|You|It|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    r"|Christmas|Easter|English|Chinese|New|Happy|Birthday|Mother's|Father's|Valentine's)\b"
)
NAME = rf"(?!{NOT_NAMES})[A-Z][\w’'-]*[a-z](?:\s+(?!{NOT_NAMES})[A-Z][\w’'-]*[a-z])?"
FAMILY = "妈妈|爸爸|奶奶|爷爷|外婆|外公|姥姥|姥爷|老师|同学|朋友|宝宝|老婆|老公|姐姐|妹妹|哥哥|弟弟|女儿|儿子"


def names(text: str) -> tuple[str, ...]:
    """The people it is for: "for Anna and Tom", "Lily's birthday", "给小雨", "小雨的生日"."""
    found: list[str] = []
    for match in re.finditer(
        rf"\b(?:for|to|dear|congratulate)\s+(?:my \w+,?\s+)?({NAME})((?:(?:,| and| &)+\s*{NAME})*)",
        text,
    ):
        found += [match[1], *re.findall(NAME, match[2])]
    found += re.findall(
        rf"({NAME})(?<!['’]s)['’]s?\s+(?:\w+\s+)?(?:birthday|wedding|party|graduation|housewarming|retirement)",
        text,
    )
    for match in re.finditer(
        rf"(?:给|送给|祝|致|献给)(?:我的?|我们的?)?(?:{FAMILY})?([{HAN}]{{1,4}}?)(?:(?:和|与|、)([{HAN}]{{1,4}}?))?(?=做|写|画|的|生|过|作|谱|制|设|一|办|准|录|过|庆|婚|[，,。！!\s]|$)",
        text,
    ):
        found += [name for name in match.groups() if name]
    found += re.findall(
        rf"(?:^|[，,。、\s为是])([{HAN}]{{2,3}}?)的(?:\d+岁|[{HAN}]{{1,2}}岁|周岁)?(?:生日|婚礼|满月|百日)",
        text,
    )
    clean = (name.removesuffix("'s").removesuffix("’s").strip() for name in found)
    return tuple(
        dict.fromkeys(n for n in clean if n not in ("我", "我们", "你", "他", "她", "大家", "它"))
    )


def days(text: str) -> tuple[Day, ...]:
    """The dates in the text, in order."""
    found: list[tuple[int, Day]] = []

    def add(at: int, year: str | None, month: int, day: str) -> None:
        if 1 <= month <= 12 and 1 <= int(day) <= 31:
            found.append((at, Day(month, int(day), int(year or 0))))

    for m in re.finditer(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b", text):
        add(m.start(), m[1], int(m[2]), m[3])
    for m in re.finditer(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {MONTH},?(?: (\d{{4}}))?", text, re.I
    ):
        add(m.start(), m[3], MONTHS.index(m[2][:3].lower()) + 1, m[1])
    for m in re.finditer(rf"\b{MONTH} (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", text, re.IGNORECASE):
        add(m.start(), m[3], MONTHS.index(m[1][:3].lower()) + 1, m[2])
    for m in re.finditer(r"(?:(\d{4})\s*年)?\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?", text):
        add(m.start(), m[1], int(m[2]), m[3])
    for m in re.finditer(
        r"([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})[日号]", text
    ):
        add(m.start(), None, int(number(m[1]) or 0), str(int(number(m[2]) or 0)))
    return tuple(dict.fromkeys(day for _, day in sorted(found, key=lambda f: f[0])))


def times(text: str) -> tuple[tuple[int, int], ...]:
    """The times of day in the text as (hour, minute), in order."""
    found: list[tuple[int, int, int]] = []
    for m in re.finditer(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b", text, re.IGNORECASE):
        found.append((m.start(), int(m[1]) % 12 + 12 * (m[3].lower() == "p"), int(m[2] or 0)))
    for m in re.finditer(r"(?<![\d:])(\d{1,2}):(\d{2})(?![\d:]|\s*[ap]\.?m)", text, re.IGNORECASE):
        found.append((m.start(), int(m[1]), int(m[2])))
    chinese = (
        rf"(凌晨|早上|上午|中午|下午|傍晚|晚上)?\s*({NUMBER})\s*[点时](?!间)(?:(半)|({NUMBER})分)?"
    )
    for m in re.finditer(chinese, text):
        hour, minute = int(number(m[2]) or 0), 30 if m[3] else int(number(m[4] or "零") or 0)
        late = m[1] in ("下午", "傍晚", "晚上") and hour < 12
        found.append((m.start(), hour + 12 * late, minute))
    return tuple((h, m) for _, h, m in sorted(found) if h < 24 and m < 60)


def seconds(text: str) -> float | None:
    """How long it should last: "30 s", "a minute and a half", "90-second", "一分半", "2分钟"."""
    half = r"(?:\s*(?:and a half|半)(?!\s*[分秒]))"
    minutes = re.search(
        rf"({NUMBER})\s*-?\s*(?:minutes?|mins?\b|分钟|分(?!之))({half})?", text, re.I
    )
    and_a_half = re.search(rf"({NUMBER}) and a half minutes?|({NUMBER})分半", text, re.IGNORECASE)
    rest = rf"({NUMBER})\s*-?\s*(?:seconds?|secs?\b|s\b|秒)"
    total = 0.0
    if and_a_half:
        total = 60 * ((number(and_a_half[1] or and_a_half[2]) or 0) + 0.5)
    elif minutes:
        total = 60 * ((number(minutes[1]) or 0) + (0.5 if minutes[2] else 0))
    seconds_ = [number(m[1]) or 0.0 for m in re.finditer(rest, text, re.IGNORECASE)]
    return (total + sum(seconds_[:1])) or None


def size(text: str) -> Size | None:
    """The size asked for: "1920x1080", "1080p", "A3 landscape", "5x7 inches", "竖屏", "正方形"."""
    wide = re.search(r"\b(?:landscape|horizontal|widescreen)\b|横版|横向|横屏|横幅", text, re.IGNORECASE)
    tall = re.search(
        r"\b(?:portrait format|portrait|vertical)\b|竖版|竖向|竖屏|纵向|抖音", text, re.I
    )
    square = re.search(r"\bsquare\b|正方形|方形|方图", text, re.IGNORECASE)
    found: Size | None = None
    if m := re.search(
        r"(\d+(?:\.\d+)?)\s*[x×*]\s*(\d+(?:\.\d+)?)\s*(px|pixels?|像素|mm|毫米|cm|厘米|in\b|inch(?:es)?|″|英寸)?",
        text,
        re.IGNORECASE,
    ):
        width, height, unit = float(m[1]), float(m[2]), (m[3] or "").lower()
        scale = {"m": 1.0, "毫": 1.0, "c": 10.0, "厘": 10.0, "i": 25.4, "″": 25.4, "英": 25.4}.get(
            unit[:1]
        )
        if scale:
            found = Size(width * scale, height * scale, "mm")
        elif min(width, height) >= 100:
            found = Size(width, height, "px")
        elif (width, height) in ((5, 7), (4, 6), (7, 5), (6, 4)):
            found = Size(width * 25.4, height * 25.4, "mm")
    elif m := re.search(r"\b(2160|1440|1080|720|480)\s*[pP]\b|\b(4[kK])\b|(高清|全高清)", text):
        high = 2160 if m[2] else 1080 if m[3] else int(m[1])
        found = Size(round(high * 16 / 9), high, "px")
        if square:
            found = Size(high, high, "px")
        elif tall:
            found = Size(found.height, found.width, "px")
        return found
    elif m := re.search(
        r"(?<![A-Za-z0-9#])(A[0-6]|letter|tabloid)(?![A-Za-z0-9]|-?\w* (?:minor|major))(?:\s*(?:size|paper|纸))?",
        text,
        re.IGNORECASE,
    ):
        name = m[1].upper() if m[1][0] in "aA" else m[1].lower()
        if m[1][0] in "A" or name in PAPER and len(name) > 2:
            found = Size(*PAPER[name], "mm")
    if found and ((wide and found.height > found.width) or (tall and found.width > found.height)):
        found = Size(found.height, found.width, found.unit)
    return found


def orientation(text: str) -> Literal["landscape", "portrait", "square"] | None:
    """The shape asked for in words."""
    if re.search(r"\bsquare\b|正方形|方形|方图", text, re.IGNORECASE):
        return "square"
    if re.search(
        r"\b(?:landscape (?:format|orientation|poster|card|page|a\d)|landscape$|horizontal|widescreen)\b|横版|横向|横屏",
        text,
        re.IGNORECASE,
    ):
        return "landscape"
    if re.search(r"\b(?:portrait|vertical)\b|竖版|竖向|竖屏|纵向", text, re.IGNORECASE):
        return "portrait"
    return None


def colours(text: str) -> tuple[str, ...]:
    """The colours named or given as hex, in order, as "#rrggbb"."""
    found: list[tuple[int, int, str]] = []
    for m in re.finditer(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b", text):
        code = m[1] if len(m[1]) == 6 else "".join(c * 2 for c in m[1])
        found.append((m.start(), m.end(), f"#{code.lower()}"))
    bare = re.sub(QUOTED, lambda m: " " * len(m[0]), text)
    for code, (en, zh) in COLOURS.items():
        chinese = rf"(?:大|浅|深|暗|淡|亮)?(?:{zh})(?:色|系|调)|(?<=[成为用])(?:{zh})(?=[，。,.\s]|$|和|与|、|的)"
        for pattern in (en, chinese):
            found += [(m.start(), m.end(), code) for m in re.finditer(pattern, bare, re.IGNORECASE)]
    longest = [
        f
        for f in found
        if not any(
            g is not f and g[0] <= f[0] and f[1] <= g[1] and g[1] - g[0] > f[1] - f[0]
            for g in found
        )
    ]
    return tuple(dict.fromkeys(code for _, _, code in sorted(longest)))


def moods(text: str) -> tuple[str, ...]:
    """The moods its words mean, as keys of `MOODS`, in that table's order."""
    return tuple(
        mood
        for mood, (en, zh) in MOODS.items()
        if re.search(rf"\b(?:{en})\b", text, re.IGNORECASE) or re.search(zh, text)
    )
