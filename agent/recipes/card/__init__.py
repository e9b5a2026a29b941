"""Greeting cards (folded, with a message inside) and invitations (flat): PDF for print and PNG."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from agent.recipes import reading
from agent.recipes.card.occasions import MOOD, OCCASIONS, occasion_of, style_of
from agent.recipes.card.texts import CLOSINGS, EVENTS, HEADINGS, INTROS, LABELS, SIGNS, WISHES
from agent.recipes.event import REPLY, Event, event
from agent.recipes.looks import Size
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request

A6 = Size(105, 148, "mm")
FIVE_BY_SEVEN = Size(127, 177.8, "mm")
SMALLEST, LARGEST = 60.0, 300.0
"""Millimetres of a card's side; other sizes are brought between them."""

WORD = r"[A-Z][\w’'-]{0,30}\b(?<!['’]s)"
NAME = rf"(?!I\b|The\b|My\b|Our\b){WORD}(?: (?!Wedding|Birthday|Party){WORD})?"
HAN = r"[\u4e00-\u9fff]{2,3}?"
KIN = (
    "mum|mom|mother|dad|father|grandma|grandpa|grandmother|grandfather|sister|brother|wife|husband"
    "|teacher|aunt|uncle"
)


def parameters(request: Request) -> dict[str, Any]:
    """What `make.py` sets and draws: every word of the card is here.

    `size` is one panel, trimmed, in mm. A folded card has a front and an inside with greeting,
    message and signature; an invitation only a front, with its lines.
    """
    lang = request.lang
    occasion = request.latest(occasion_of) or "greeting"
    invites = bool(request.latest(_invites))
    style, mood = _style(request, occasion)
    front = _invitation(request, occasion) if invites else _greeting(request, occasion)
    inside = None if invites else _inside(request, occasion)
    name = {"en": "invitation" if invites else "card", "zh": "邀请函" if invites else "贺卡"}[lang]
    size = _size(request, invites)
    return {
        "lang": lang,
        "title": " ".join(filter(None, (front["heading"].replace("\n", ""), front["names"]))),
        "seed": request.seed,
        "occasion": occasion,
        "style": style,
        "mood": mood,
        "sign": SIGNS.get(occasion, "福"),
        "colours": list(request.colours),
        "size": {"width": size.width, "height": size.height},
        "folded": not invites,
        "front": front,
        "inside": inside,
        "files": {"pdf": f"{name}.pdf", "png": f"{name}.png"},
    }


def _invites(text: str) -> bool | None:
    return (
        True if re.search(r"invit|save the date|邀请|请柬|请帖|喜帖", text, re.IGNORECASE) else None
    )


def _style(request: Request, occasion: str) -> tuple[str, str]:
    usual = OCCASIONS[occasion].styles[request.lang]
    asked = request.latest(style_of)
    if asked:
        return next((pair for pair in usual if pair[0] == asked), (asked, MOOD[asked]))
    return random.Random(request.seed).choice(usual)


def _size(request: Request, invites: bool) -> Size:
    size = request.size or (FIVE_BY_SEVEN if invites else A6)
    if size.unit == "px":
        size = Size(size.width / 300 * 25.4, size.height / 300 * 25.4, "mm")
    if request.shape:
        size = size.turned(request.shape)
    width, height = (min(LARGEST, max(SMALLEST, side)) for side in (size.width, size.height))
    return Size(round(width, 1), round(height, 1), "mm")


def couple(text: str) -> tuple[str, ...]:
    """The two of a wedding: "Anna and Tom's wedding", "张伟和李娜的婚礼"."""
    english = re.search(
        rf"\b(?:of|for) ({NAME}) (?:and|&) ({NAME})|({NAME}) (?:and|&) ({NAME})(?:['’]s?)?"
        rf" (?:wedding|engagement|marriage|anniversary)",
        text,
    )
    chinese = re.search(
        rf"({HAN})(?:和|与|&|、)({HAN})(?=的?(?:婚礼|结婚|大婚|新婚|婚宴|订婚|纪念日))", text
    )
    match = english or chinese
    pair = [group for group in match.groups() if group] if match else []
    return tuple(re.sub(r"^[给为的]|['’]s?$", "", name) for name in pair)


def age(text: str) -> int | None:
    """The birthday that is kept: "6th birthday", "turning 40", "6岁", "六十大寿"."""
    match = re.search(
        r"(\d{1,3})(?:st|nd|rd|th) birthday|turn(?:s|ing)? (\d{1,3})"
        r"|(\d{1,3})\s*(?:years? old|岁|周岁)"
        r"|([一二三四五六七八九十]{1,3})(?:岁|周岁|大寿)",
        text,
        re.IGNORECASE,
    )
    said = match and next(group for group in match.groups() if group)
    return int(reading.number(said) or 0) or None if said else None


def recipients(text: str) -> tuple[str, ...]:
    """Whom the card is for: names, or kin ("for my mum", "给妈妈")."""
    if titled := re.search(
        r"\b(?:for|to) ((?:Dr|Mr|Mrs|Ms|Miss|Prof)\.? [A-Z][\w’'-]{1,30})", text
    ):
        return (titled[1],)
    if kin := re.search(
        rf"\b(?:for|to) (?:my |our )?(?:dear )?({KIN})\b(?! and)", text, re.IGNORECASE
    ):
        return (kin[1][:1].upper() + kin[1][1:].lower(),)
    if kin := re.search(
        rf"(?:给|送给|祝)(?:我|我们)?(?:的)?({reading.FAMILY})(?![\u4e00-\u9fff]{{2}}的)", text
    ):
        named = re.search(rf"{kin[1]}([\u4e00-\u9fff]{{2}})(?:的|做|过)", text)
        return (named[1] if named else kin[1],)
    sender = sender_of(text)
    return tuple(name for name in reading.names(REPLY.sub(",", text)) if name != sender)


def sender_of(text: str) -> str:
    """Who signs: "from Anna and Tom", "落款：小明", "小明送"."""
    match = re.search(
        rf"\b(?:from|signed(?: by)?|love,)\s+(?:me, )?"
        rf"((?:[Tt]he )?{NAME}(?:(?:,| and| &) {NAME})*(?: family)?)",
        text,
    ) or re.search(
        r"(?:落款|署名|来自|签名)(?:是|为|写)?\s*[:：]?\s*[“「]?([^，。；！\s”」]{1,16})", text
    )
    return match[1].strip() if match else ""


def message(text: str) -> str:
    """The words asked for: 'saying "…"', "message: …", "写上：…", or a long quotation."""
    match = re.search(
        r"\b(?:message|text|inside|words)(?: is| should be)?\s*[:：]\s*[\"“]?([^\"”\n]{2,400})"
        r"|(?:(?:祝福语|寄语|内容|正文|写)\s*[:：]|写[上着]\s*[:：]?)\s*[“「\"]?([^”」\"\n]{2,200})",
        text,
        re.IGNORECASE,
    )
    if match:
        return (match[1] or match[2]).strip()
    return next(
        (
            quote
            for quote in reading.quotes(text)
            if len(quote) > 24 or re.search("[，。！,.!]", quote)
        ),
        "",
    )


def heading(text: str) -> str:
    """A heading given in quotation marks or by "titled"."""
    said = reading.title(text) or ""
    return "" if said == message(text) else said


def _names(request: Request) -> tuple[str, ...]:
    return request.latest(lambda text: couple(text) or recipients(text)) or ()


def _greeting(request: Request, occasion: str) -> dict[str, Any]:
    lang, names = request.lang, _names(request)
    years = request.latest(age) if occasion == "birthday" else None
    text = request.latest(heading) or HEADINGS[occasion][lang]
    return {
        "intro": "",
        "heading": text,
        "names": _joined(names, lang) + _years(years, lang, bool(names)),
        "lines": [],
        "closing": "",
    }


def _years(years: int | None, lang: Lang, named: bool) -> str:
    if not years:
        return ""
    if lang == "zh":
        return f"{' · ' if named else ''}{years} 岁"
    return f"{', ' if named else ''}{years} today"


def _inside(request: Request, occasion: str) -> dict[str, str]:
    lang, names = request.lang, _names(request)
    wishes: tuple[str, ...] = WISHES[occasion][lang]
    sender = request.latest(sender_of)
    return {
        "greeting": LABELS["to"][lang].format(_joined(names, lang)) if names else "",
        "message": request.latest(message) or random.Random(request.seed).choice(wishes),
        "signature": LABELS["from"][lang].format(sender) if sender else "",
    }


def _invitation(request: Request, occasion: str) -> dict[str, Any]:
    lang, said = request.lang, event(request)
    facts = [
        fact
        for fact in said.facts
        if not couple(fact) and not age(fact) and not (style_of(fact) and " " not in fact)
    ]
    pair = request.latest(couple) if occasion in ("wedding", "anniversary") else None
    engaged = request.latest(
        lambda text: bool(re.search(r"engagement|订婚", text, re.IGNORECASE)) or None
    )
    intro = INTROS["wedding" if pair and not engaged else "party"][lang]
    return {
        "intro": intro,
        "heading": _joined(pair, lang, " & ") if pair else _occasion_title(request, occasion, said),
        "names": said.tagline,
        "lines": [line for line in (said.when, said.where, *facts) if line],
        "closing": CLOSINGS[lang],
    }


def _occasion_title(request: Request, occasion: str, said: Event) -> str:
    """ "Lily’s 6th Birthday Party", "小雨六岁生日派对"; or what the request calls it."""
    given = request.latest(heading) or said.title
    names, years = request.latest(recipients) or request.names, request.latest(age)
    if occasion == "birthday" and names and not request.latest(heading):
        who = _joined(names, request.lang)
        if request.lang == "zh":
            return f"{who}{f'{years}岁' if years else ''}\n生日派对"
        return f"{who}’s {f'{_ordinal(years)} ' if years else ''}Birthday Party"
    return given or EVENTS.get(occasion, EVENTS["party"])[request.lang]


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _joined(names: tuple[str, ...], lang: Lang, between: str = "") -> str:
    return (between or {"en": " & ", "zh": "、"}[lang]).join(names)


def describe(parameters: Mapping[str, Any], lang: Lang) -> str:
    p, size = parameters, parameters["size"]
    sheet = f"{size['width']:g} × {size['height']:g} mm"
    lines = p["front"]["lines"]
    if lang == "zh":
        kind = f"一张对折贺卡，合上 {sheet}" if p["folded"] else f"一张邀请函，{sheet}"
        return f"{kind}：“{p['title']}”{'，' + '，'.join(lines) if lines else ''}。"
    kind = f"A folded card, {sheet} when closed" if p["folded"] else f"An invitation of {sheet}"
    return f"{kind}: “{p['title']}”{', ' + ', '.join(lines) if lines else ''}."


def summary(parameters: Mapping[str, Any], lang: Lang) -> str:
    folded = parameters["folded"]
    if lang == "zh":
        how = "双面打印、沿短边翻转，再对折。" if folded else ""
        return (
            f"卡片做好了。{describe(parameters, lang)}PDF 四边各留 3 毫米出血，字体已嵌入；{how}"
            "PNG 可以直接发送。可以接着说：换成水墨风格、改成红色、写上：“……”、落款：……、换一版"
        )
    how = "Print it on both sides (flip on the short edge) and fold it once. " if folded else ""
    return (
        f"The card is ready. {describe(parameters, lang)} The PDF has 3 mm of bleed and "
        f"its fonts inside. {how}The PNG can be sent as it is. A follow-up can change it: "
        "with balloons, make it green, message: “…”, from …, another version"
    )


CARDS = (
    r"\b(?:greeting|birthday|thank[- ]?you|wedding|christmas|new year|get[- ]well|anniversary)s?"
    r" cards?\b"
)

RECIPE = Recipe(
    name="card",
    noun={"en": "a greeting card or invitation", "zh": "一张贺卡或邀请函"},
    example={
        "en": "“a birthday card for Lily who turns 6, from Grandma”",
        "zh": "“给妈妈做一张生日贺卡，水墨风格，落款：小明”",
    },
    words={
        CARDS: 1.0,
        r"\b(?:cards?|postcard)\b(?! (?:game|deck|list|layout))": 0.7,
        r"\binvitations?\b|\binvites?\b|\bsave the date\b": 0.95,
        "贺卡|卡片|请柬|请帖|喜帖|邀请函|邀请卡|明信片|贺年卡": 0.95,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
)
