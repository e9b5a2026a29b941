"""The words of music in English and Chinese: keys, tempi, metres, styles, instruments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.recipes.reading import NUMBER, find, find_all, number

Mode = Literal["major", "minor"]

LETTERS = "CDEFGAB"
ACCIDENTALS = {
    "sharp": "#", "#": "#", "♯": "#", "升": "#",
    "flat": "b", "b": "b", "♭": "b", "降": "b",
}  # fmt: skip


@dataclass(frozen=True)
class Key:
    """A tonic such as "Bb" or "F#", and its mode."""

    tonic: str
    mode: Mode


@dataclass(frozen=True)
class Style:
    """How a kind of piece goes: the ranges that a composer would choose from.

    `tempo` is in beats a minute (dotted crotchets in 6/8); `keys` are usual ones.
    """

    words: str
    metre: str
    tempo: tuple[int, int]
    mode: Mode
    keys: tuple[Key, ...]
    instruments: tuple[str, ...]
    names: tuple[str, str]
    """In a sentence: "a calm piece", "一首宁静的乐曲"."""
    titles: tuple[tuple[str, ...], tuple[str, ...]]


CHINESE = ("guzheng", "dizi", "xiao", "erhu", "pipa", "suona", "yangqin")
"""Instruments that make a piece without another style a Chinese one."""


SINGLE = (
    *("dizi", "xiao", "erhu", "suona", "violin", "cello", "flute", "clarinet", "oboe", "trumpet"),
    *("horn", "saxophone", "harmonica"),
)
"""Instruments that play one note at a time."""


def keys(mode: Mode, *tonics: str) -> tuple[Key, ...]:
    return tuple(Key(tonic, mode) for tonic in tonics)


STYLES = {
    "birthday": Style(
        "birthday|生日",
        "3/4", (104, 126), "major", keys("major", "C", "F", "G"), ("flute", "piano"),
        ("a birthday piece", "一首生日乐曲"),
        (("Candles", "Make a Wish", "One More Candle"), ("许个愿", "烛光", "又长一岁")),
    ),
    "waltz": Style(
        "waltz|圆舞曲|华尔兹",
        "3/4", (132, 160), "major", keys("major", "C", "G", "D", "F"), ("piano",),
        ("a waltz", "一首圆舞曲"),
        (("Turning Lights", "The Ballroom Window", "Three Steps"), ("旋转的灯火", "窗边", "三步")),
    ),
    "lullaby": Style(
        r"lullab\w*|cradle song|to sleep|bedtime|摇篮曲|催眠曲|哄睡|睡前",
        "6/8", (44, 54), "major", keys("major", "F", "G", "D"), ("music box",),
        ("a lullaby", "一首摇篮曲"),
        (("Small Moon", "The Sleeping Boat", "Hush"), ("小月亮", "梦的小船", "晚安")),
    ),
    "march": Style(
        r"march(?!\s*\d)|parade|进行曲",
        "4/4", (108, 120), "major", keys("major", "Bb", "F", "C"), ("trumpet", "brass"),
        ("a march", "一首进行曲"),
        (("Forward", "Morning Parade", "Bright Colours"), ("向前", "晨光进行曲", "旗帜")),
    ),
    "chinese": Style(
        "chinese style|pentatonic|中国风|国风|古风|民乐|五声|江南|水墨",
        "4/4", (66, 84), "major", keys("major", "D", "G", "C"), ("dizi", "guzheng"),
        ("a pentatonic piece in Chinese style", "一首中国风乐曲"),
        (("Bamboo and Rain", "Lotus Pond", "Mountain Path"), ("竹雨", "荷塘", "山径")),
    ),
    "grand": Style(
        "grand|epic|heroic|majestic|triumphant|cinematic|solemn|宏伟|壮丽|激昂|史诗|庄严|大气|豪迈",
        "4/4", (76, 92), "minor", keys("minor", "D", "C", "G"), ("horn", "strings", "piano"),
        ("a grand piece", "一首壮阔的乐曲"),
        (("The Ridge", "High Country", "Against the Wind"), ("山脊", "长风", "远征")),
    ),
    "lively": Style(
        "lively|happy|joyful|cheerful|playful|upbeat|fun|bright|merry|energetic|dance|jig"
        "|快乐|欢快|开心|活泼|轻快|愉快|欢乐|俏皮|明亮|喜悦|热闹|喜庆|阳光|舞曲",
        "2/4", (104, 126), "major", keys("major", "G", "D", "C", "A"), ("piano",),
        ("a lively piece", "一首欢快的乐曲"),
        (("Skipping Stones", "Market Day", "Paper Kites"), ("打水漂", "赶集", "纸鸢")),
    ),
    "sad": Style(
        r"sad|melanchol\w*|sorrow\w*|wistful|nostalgi\w*|farewell"
        "|悲伤|忧伤|伤感|哀|惆怅|思念|怀念|离别",
        "4/4", (60, 72), "minor", keys("minor", "A", "E", "D"), ("piano",),
        ("a wistful piece", "一首忧伤的乐曲"),
        (("The Empty Chair", "Letters Unsent", "Late Autumn"), ("空椅子", "未寄的信", "深秋")),
    ),
    "calm": Style(
        "",
        "4/4", (68, 80), "major", keys("major", "C", "G", "F", "D"), ("piano",),
        ("a calm piece", "一首宁静的乐曲"),
        (("Still Water", "After the Rain", "Window Light"), ("静水", "雨后", "窗前的光")),
    ),
}  # fmt: skip
"""The first whose words are in the request; `calm` is for requests that name none."""

DUSK = (("Last Light", "Blue Hour", "Evening Tide"), ("暮色", "最后的光", "晚潮"))
"""Titles for calm pieces in the evening."""

INSTRUMENTS = {
    "guzheng": "guzheng|koto|zither|古筝|筝", "dizi": "dizi|bamboo flute|笛子|竹笛|笛",
    "xiao": r"\bxiao\b|shakuhachi|洞箫|箫|尺八", "erhu": "erhu|二胡", "pipa": r"\bpipa\b|琵琶",
    "suona": "suona|唢呐", "yangqin": "yangqin|dulcimer|扬琴",
    "music box": "music[- ]?box|八音盒|音乐盒", "piano": "piano|钢琴",
    "violin": "violin|fiddle|小提琴", "cello": "cello|大提琴", "flute": r"\bflute|长笛",
    "clarinet": "clarinet|单簧管", "oboe": "oboe|双簧管", "trumpet": "trumpet|小号",
    "horn": r"\bhorns?\b|圆号", "brass": "brass|铜管", "guitar": "guitar|吉他|ukulele|尤克里里",
    "harp": r"\bharp\b|竖琴", "strings": r"\bstrings?\b|orchestra|弦乐|管弦|交响",
    "celesta": "celesta|glockenspiel|钢片琴|钟琴", "marimba": "marimba|xylophone|马林巴|木琴",
    "accordion": "accordion|手风琴", "organ": r"\borgan\b|管风琴", "saxophone": r"\bsax\w*|萨克斯",
    "harmonica": "harmonica|口琴",
}  # fmt: skip
CHINESE_NAMES = {
    "guzheng": "古筝", "dizi": "笛子", "xiao": "箫", "erhu": "二胡", "pipa": "琵琶",
    "suona": "唢呐", "yangqin": "扬琴", "music box": "八音盒",
    "piano": "钢琴", "violin": "小提琴", "cello": "大提琴",
    "flute": "长笛", "clarinet": "单簧管", "oboe": "双簧管", "trumpet": "小号",
    "horn": "圆号", "brass": "铜管",
    "guitar": "吉他", "harp": "竖琴", "strings": "弦乐", "celesta": "钢片琴", "marimba": "马林巴",
    "accordion": "手风琴", "organ": "管风琴", "saxophone": "萨克斯", "harmonica": "口琴",
}  # fmt: skip

TEMPI = (
    (r"\blargo\b|\bvery slow", "广板|很慢|极慢", 50), (r"\badagio\b", "柔板", 60),
    (r"\bslow(?:ly)?\b", "慢板|慢速|缓慢", 63), (r"\bandante\b", "行板", 76),
    (r"\bmoderato\b|medium tempo", "中板|中速", 96), (r"\ballegretto\b", "小快板", 108),
    (r"\bpresto\b|very fast", "急板|很快", 160),
    (r"\ballegro\b|\bfast\b|\bquick\b", "快板|快速", 126),
)  # fmt: skip


def key(text: str) -> Key | None:
    """The key asked for: "A minor", "B flat major", "F#m", "降E大调", "1=D"."""
    if m := find(
        r"(?-i:\b([A-G]))[\s-]*(sharp|flat|#|♯|b(?=[\s-])|♭)?[\s-]*(major|minor|maj|min)\b", text
    ):
        mode: Mode = "minor" if m[3].lower().startswith("min") else "major"
        return Key(m[1] + ACCIDENTALS.get((m[2] or "").lower(), ""), mode)
    if m := re.search(
        r"\b(?:in|to|into) ([A-G])([#b♯♭]?)(m?)(?![\w#/-])|\b([A-G])([#b♯♭]?)(m)\b", text
    ):
        tonic, sign, minor = m.groups()[:3] if m[1] else m.groups()[3:]
        return Key(tonic + ACCIDENTALS.get(sign, ""), "minor" if minor else "major")
    if m := find(r"([升降#♯b♭]?)\s*([A-G])\s*([#♯♭]?)\s*(大|小)调", text):
        sign = ACCIDENTALS.get(m[1] or m[3], "")
        return Key(m[2].upper() + sign, "minor" if m[4] == "小" else "major")
    if m := find(r"\b1\s*=\s*([b#♭♯]?)([A-G])|([b#♭♯降升]?)([A-G])调", text):
        sign = ACCIDENTALS.get(m[1] or m[3] or "", "")
        return Key((m[2] or m[4]).upper() + sign, "major")
    return None


def mode(text: str) -> Mode | None:
    """The mode, where no key is named."""
    if find(r"\bminor\b|小调", text):
        return "minor"
    return "major" if find(r"\bmajor\b|大调", text) else None


def metre(text: str) -> str | None:
    """The metre asked for: "3/4", "四三拍", "in six-eight"."""
    if m := find(r"\b([2346])\s*/\s*([48])\b", text):
        return f"{m[1]}/{m[2]}" if f"{m[1]}/{m[2]}" in ("2/4", "3/4", "4/4", "6/8") else None
    words = {
        "3/4": "四三拍|三拍子|triple (?:time|metre|meter)|three-four",
        "2/4": "四二拍|二拍子|two-four",
        "4/4": "四四拍|四拍子|common time|four-four",
        "6/8": "八六拍|六拍子|six-eight",
    }
    return next((name for name, pattern in words.items() if find(pattern, text)), None)


def tempo(text: str) -> float | None:
    """Beats a minute: "90 bpm", "♩=72", "每分钟90拍", "andante", "慢板"."""
    if m := find(
        r"(\d{2,3})\s*bpm|(?:♩\.?|tempo|速度)\s*[=:：为是]?\s*(\d{2,3})|每分钟\s*(\d{2,3})\s*拍",
        text,
    ):
        return float(next(g for g in m.groups() if g))
    return next((bpm for en, zh, bpm in TEMPI if find(en, text) or find(zh, text)), None)


def faster(text: str) -> float | None:
    """How much a follow-up changes the tempo; None when it does not."""
    if find(r"\bfaster\b|quicker|speed it up|快一?点|快一?些|加快|更快", text):
        return 1.15
    if find(r"\bslower\b|slow it down|慢一?点|慢一?些|放慢|更慢", text):
        return 1 / 1.15
    return None


def solo(text: str) -> bool | None:
    """Whether one player is to be alone."""
    return True if find(r"\bsolo\b|unaccompanied|独奏|无伴奏", text) else None


def bars(text: str) -> int | None:
    """How many bars: "16 bars", "十六小节"."""
    m = find(rf"({NUMBER})[\s-]*(?:bars?\b|measures?\b|个?小节)", text)
    return int(number(m[1]) or 0) or None if m else None


def style(text: str) -> str | None:
    """The name of the first style whose words are in the text."""
    named = (name for name, s in STYLES.items() if s.words and find(rf"(?:{s.words})", text))
    return next(
        named, "calm" if find("calm|peaceful|quiet|gentle|宁静|安静|平静|舒缓", text) else None
    )


def instruments(text: str) -> tuple[str, ...]:
    """The instruments named, in the order of the text, at most two."""
    places: list[tuple[int, int, str]] = []
    for name, words in INSTRUMENTS.items():
        places += [(m.start(), m.end(), name) for m in find_all(words, text)]
    names = [
        name
        for start, end, name in sorted(places)
        if not any(s <= start and end <= e and e - s > end - start for s, e, _ in places)
    ]
    return tuple(dict.fromkeys(names))[:2]
