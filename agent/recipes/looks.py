"""Readers of how a thing should look or feel: size and shape, colours, moods."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.recipes.reading import QUOTED, find, find_all

Shape = Literal["landscape", "portrait", "square"]

PAPER = {
    "A0": (841, 1189), "A1": (594, 841), "A2": (420, 594), "A3": (297, 420), "A4": (210, 297),
    "A5": (148, 210), "A6": (105, 148), "LETTER": (216, 279), "TABLOID": (279, 432),
}  # fmt: skip
UNITS = {
    "mm": 1.0, "毫米": 1.0, "cm": 10.0, "厘米": 10.0,
    "in": 25.4, "inch": 25.4, "inches": 25.4, "″": 25.4, "英寸": 25.4, "寸": 25.4,
}  # fmt: skip
CARDS = ((5, 7), (7, 5), (4, 6), (6, 4))
"""Sizes that mean inches when no unit is said."""

COLOURS = {
    "#d43a3a": ("red", "红"),
    "#e8702a": ("orange", "橙|橘"),
    "#f2c230": ("yellow", "黄"),
    "#2f9e5b": ("green", "绿"),
    "#1f9aa8": ("teal|turquoise|cyan", "青|蓝绿"),
    "#2b6fd6": ("blue", "蓝"),
    "#1d2f6f": ("navy|dark blue|indigo", "深蓝|藏青|靛蓝"),
    "#7fb8e6": ("light blue|sky blue|pale blue", "浅蓝|天蓝"),
    "#7a4fc4": ("purple|violet", "紫"),
    "#b9a3e3": ("lavender|lilac", "淡紫|薰衣草"),
    "#e56a9b": ("pink", "粉红|粉"),
    "#8a5a3b": ("brown", "棕|褐|咖啡"),
    "#c9a13b": ("gold|golden", "金"),
    "#a8adb5": ("silver", "银"),
    "#8a8f98": ("grey|gray", "灰"),
    "#16181d": ("black", "黑"),
    "#ffffff": ("white", "白"),
    "#f4ecd8": ("cream|beige|ivory", "米|奶油|象牙"),
}

MOODS = {
    "calm": (
        r"calm|peaceful|quiet|gentle|relax\w*|soft|serene|soothing|meditat\w*|ambient",
        "平静|安静|宁静|舒缓|柔和|轻柔|放松|温柔|静谧|冥想|治愈",
    ),
    "dusk": (
        r"dusk|evening|twilight|sunset|night\w*|nocturn\w*|moonlight",
        "黄昏|傍晚|日落|夜|月光|月色",
    ),
    "sad": (
        r"sad|melanchol\w*|sorrow\w*|mournful|wistful|nostalgi\w*|bittersweet",
        "悲伤|忧伤|伤感|哀|惆怅|思念|怀念|离别",
    ),
    "happy": (
        "happy|joyful|cheerful|playful|lively|upbeat|fun|sunny|bright|merry|funny|energetic",
        "快乐|欢快|开心|活泼|轻快|愉快|欢乐|俏皮|明亮|阳光|喜悦|热闹|喜庆",
    ),
    "grand": (
        r"grand|epic|heroic|majestic|triumphant|solemn|ceremon\w*|proud|dramatic",
        "宏伟|壮丽|雄伟|激昂|庄严|史诗|盛大|大气|豪迈",
    ),
    "romantic": ("romantic|love|loving|tender|wedding", "浪漫|爱情|深情|婚礼|甜蜜"),
    "mysterious": (r"myster\w*|eerie|spooky|dark|haunt\w*|halloween", "神秘|诡异|幽暗|万圣节"),
    "elegant": ("elegant|refined|classy|classic|classical|sophisticated", "优雅|典雅|高雅|古典"),
    "modern": (r"modern|minimal\w*|clean|swiss|simple", "现代|简约|极简|简洁"),
    "cute": (
        "cute|sweet|childlike|for kids|for children|kawaii",
        "可爱|童趣|儿童|小朋友|卡通",
    ),
    "retro": ("retro|vintage|old-school|old school|nostalgic", "复古|怀旧"),
    "festive": (
        r"festive|celebrat\w*|party|christmas|new year|birthday",
        "节日|庆祝|派对|圣诞|新年|春节|生日",
    ),
}


@dataclass(frozen=True)
class Size:
    """A picture's width and height, in pixels ("px") or on paper ("mm")."""

    width: float
    height: float
    unit: Literal["px", "mm"]

    def turned(self, shape: Shape | None) -> Size:
        """The same size, lying or standing as `shape` says."""
        short, long = sorted((self.width, self.height))
        if shape == "square":
            return Size(short, short, self.unit)
        if shape == "landscape":
            return Size(long, short, self.unit)
        return Size(short, long, self.unit) if shape == "portrait" else self


def shape(text: str) -> Shape | None:
    """The shape asked for in words."""
    if find(r"\bsquare\b|正方形|方形|方图", text):
        return "square"
    lying = r"\blandscape (?:format|orientation|mode|poster|card|page|a\d)|\ba\d landscape\b"
    if find(rf"{lying}|\b(?:in landscape|horizontal|widescreen)\b|横版|横向|横屏", text):
        return "landscape"
    standing = r"\bportrait (?:format|orientation|mode|poster|card|page|a\d)|\ba\d portrait\b"
    if find(rf"{standing}|\b(?:in portrait|vertical)\b|竖版|竖向|竖屏|纵向", text):
        return "portrait"
    return None


def size(text: str) -> Size | None:
    """The size asked for: "1920x1080", "1080p", "A3 landscape", "5x7 inches", "竖屏 1080p"."""
    found: Size | None = None
    number = r"(\d{1,6}(?:\.\d{1,4})?)"
    unit = "px|pixels?|像素|mm|毫米|cm|厘米|inches|inch|in\\b|″|英寸|寸"
    if m := find(rf"{number}\s*[x×*]\s*{number}\s*-?({unit})?", text):
        width, height = float(m[1]), float(m[2])
        scale = UNITS.get((m[3] or "").lower(), 25.4 if (width, height) in CARDS else 0)
        if scale:
            found = Size(width * scale, height * scale, "mm")
        elif min(width, height) >= 100:
            found = Size(width, height, "px")
    elif m := find(r"(?<![\d.])(2160|1440|1080|720|480)\s*p\b|\b(4k)\b|高清", text):
        height = float(m[1] or (2160 if m[2] else 1080))
        found = Size(round(height * 16 / 9 / 2) * 2, height, "px")
    elif m := re.search(r"(?<![A-Za-z0-9#])(A[0-6])(?![A-Za-z0-9]|\s*(?:minor|major))", text):
        found = Size(*PAPER[m[1]], "mm")
    elif m := find(r"\b(?:us )?(letter|tabloid)[- ](?:size|sized|paper|format)\b", text):
        found = Size(*PAPER[m[1].upper()], "mm")
    return found and found.turned(shape(text))


def colours(text: str) -> tuple[str, ...]:
    """The colours named or given as hex, in order, as "#rrggbb"."""
    spans: list[tuple[int, int, str]] = []
    for m in find_all(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", text):
        code = m[1] if len(m[1]) == 6 else "".join(digit * 2 for digit in m[1])
        spans.append((m.start(), m.end(), f"#{code.lower()}"))
    bare = re.sub(QUOTED, lambda m: " " * len(m[0]), text)
    for code, (en, zh) in COLOURS.items():
        alone = rf"(?<=[成为用])(?:{zh})(?=[，。,.和与、的\s]|$)"
        pattern = rf"\b(?:{en})\b|[大浅深暗淡亮]?(?:{zh})[色系调]|{alone}"
        spans += [(m.start(), m.end(), code) for m in find_all(pattern, bare)]
    whole = [
        (start, end, code)
        for start, end, code in spans
        if not any(s <= start and end <= e and e - s > end - start for s, e, _ in spans)
    ]
    return tuple(dict.fromkeys(code for _, _, code in sorted(whole)))


def moods(text: str) -> tuple[str, ...]:
    """The moods that its words mean, as keys of `MOODS`, in that table's order."""
    bare = re.sub(QUOTED, " ", text)
    return tuple(m for m, (en, zh) in MOODS.items() if find(rf"\b(?:{en})\b|{zh}", bare))
