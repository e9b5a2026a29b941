"""The occasions of cards: the words that name them, and the styles and palettes that suit them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agent.recipes.request import Lang


@dataclass(frozen=True)
class Occasion:
    """What a card is for. `styles` are pairs of a style and a mood of palette, the usual first."""

    words: str
    styles: Mapping[Lang, tuple[tuple[str, str], ...]]


def _both(*styles: tuple[str, str]) -> Mapping[Lang, tuple[tuple[str, str], ...]]:
    return {"en": styles, "zh": styles}


OCCASIONS: Mapping[str, Occasion] = {
    "wedding": Occasion(
        r"wedding|marriage|getting married|bride|groom|engagement"
        r"|婚礼|结婚|新婚|大婚|喜宴|婚宴|订婚",
        {
            "en": (("floral", "blossom"), ("minimal", "noble"), ("floral", "fresh")),
            "zh": (("medallion", "festive"), ("floral", "blossom"), ("minimal", "noble")),
        },
    ),
    "anniversary": Occasion(
        r"anniversary|纪念日|周年", _both(("floral", "blossom"), ("minimal", "noble"))
    ),
    "spring": Occasion(
        r"spring festival|lunar new year|chinese new year|春节|新春|拜年"
        r"|农历新年|龙年|马年|羊年|猴年|除夕",
        _both(("medallion", "festive")),
    ),
    "moon": Occasion(r"mid-?autumn|moon festival|中秋", _both(("ink", "ink"), ("stars", "night"))),
    "christmas": Occasion(r"christmas|xmas|圣诞", _both(("stars", "night"), ("stars", "noble"))),
    "newyear": Occasion(
        r"new year|新年|元旦|跨年", _both(("stars", "noble"), ("confetti", "play"))
    ),
    "mother": Occasion(
        r"mother.?s day|母亲节", _both(("floral", "blossom"), ("meadow", "blossom"))
    ),
    "father": Occasion(
        r"father.?s day|父亲节",
        {
            "en": (("minimal", "noble"), ("meadow", "earth")),
            "zh": (("ink", "ink"), ("minimal", "noble")),
        },
    ),
    "teacher": Occasion(
        r"teacher.?s.? day|教师节|谢师|老师节",
        {"en": (("meadow", "fresh"),), "zh": (("ink", "ink"), ("meadow", "fresh"))},
    ),
    "baby": Occasion(
        r"\bbaby|newborn|christening|满月|百日|宝宝|周岁宴|出生",
        _both(("stars", "night"), ("meadow", "blossom"), ("confetti", "play")),
    ),
    "birthday": Occasion(
        r"birthday|\bb-?day|turn(?:s|ing)? \d+|生日|寿|\d+\s*岁",
        _both(
            ("confetti", "play"), ("floral", "warm"), ("meadow", "blossom"), ("confetti", "warm")
        ),
    ),
    "home": Occasion(
        r"housewarming|new (?:home|house|flat|apartment)|乔迁|新居|暖房|搬家",
        _both(("meadow", "fresh"), ("minimal", "calm"), ("meadow", "earth")),
    ),
    "graduation": Occasion(
        r"graduat|毕业", _both(("confetti", "tech"), ("stars", "noble"), ("minimal", "noble"))
    ),
    "love": Occasion(
        r"valentine|love card|i love|情人节|七夕|表白|520",
        _both(("floral", "blossom"), ("floral", "warm")),
    ),
    "well": Occasion(
        r"get well|recover|康复|早日|慰问",
        _both(
            ("meadow", "fresh"),
        ),
    ),
    "farewell": Occasion(
        r"farewell|goodbye|leaving|retire|送别|告别|离职|退休|一路顺风",
        {
            "en": (("meadow", "earth"), ("minimal", "calm")),
            "zh": (("ink", "ink"), ("minimal", "calm")),
        },
    ),
    "thanks": Occasion(
        r"thank|gratitude|appreciat|感谢|谢谢|致谢|感恩",
        {
            "en": (("floral", "fresh"), ("meadow", "blossom"), ("minimal", "calm")),
            "zh": (("ink", "ink"), ("meadow", "fresh"), ("floral", "fresh")),
        },
    ),
    "party": Occasion(
        r"party|celebrat|reunion|dinner|barbecue|bbq|picnic|聚会|派对|聚餐|晚宴|庆祝",
        _both(("confetti", "warm"), ("stars", "dusk"), ("confetti", "play")),
    ),
    "greeting": Occasion(
        r"", _both(("meadow", "blossom"), ("floral", "fresh"), ("minimal", "calm"))
    ),
}
"""More special ones first: "a thank-you card for the wedding guests" is decided by its place."""

STYLES: Mapping[str, str] = {
    "floral": r"floral|wreath|flowers?\b|花环|花卉|鲜花|花朵",
    "meadow": r"meadow|botanical|wildflower|植物|草地",
    "confetti": r"confetti|balloons?|colou?rful|气球|彩带|彩色|缤纷",
    "stars": r"\bstars?\b|starry|night sky|星空|星星|夜空",
    "minimal": r"minimal(?:ist)?|simple|clean|plain|elegant|简约|极简|简单|素雅|优雅",
    "ink": r"\bink\b|ink[- ]wash|brush|chinese style|水墨|国风|中国风|古风|山水",
    "medallion": r"\bred and gold\b|traditional|红金|传统|大红|喜庆",
}
MOOD = {"floral": "blossom", "meadow": "fresh", "confetti": "play", "stars": "night"} | {
    "minimal": "noble", "ink": "ink", "medallion": "festive",
}  # fmt: skip
"""The palette of a style that was asked for by name and is not one of the occasion's."""


def occasion_of(text: str) -> str:
    """The occasion that a text names, "" when it names none."""
    found = (
        (key, re.search(occasion.words, text, re.IGNORECASE))
        for key, occasion in OCCASIONS.items()
        if occasion.words
    )
    return next((key for key, match in found if match), "")


def style_of(text: str) -> str:
    """The style that a text asks for, "" when it asks for none."""
    return next((key for key, words in STYLES.items() if re.search(words, text, re.IGNORECASE)), "")
